package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How one side, locks or queues, tells its callers that something went wrong. */
public interface Failures {
    LeaseholdException failure(ErrorCategory category, String message, @Nullable Throwable cause);

    /** The failure of a call that found what it needs locked by others until its time was over. */
    default LeaseholdException busy(String message) {
        return failure(ErrorCategory.NETWORK_TIMEOUT, message, null);
    }

    /** The failure of a call that came after the end. */
    LeaseholdException closed();

    /** What a failure of the database means. */
    default LeaseholdException of(SQLException e) {
        return PostgresErrors.map(e, this);
    }
}
