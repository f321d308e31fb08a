package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How one side, locks or queues, tells its callers that something went wrong. */
public interface Failures {
    LeaseholdException failure(Trouble trouble, String message, @Nullable Throwable cause);

    /** The failure of a call that came after the end. */
    LeaseholdException closed();

    /** What a failure of the database means. */
    default LeaseholdException of(SQLException e) {
        return PostgresErrors.map(e, this);
    }
}
