package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions of one side, locks or queues. */
public interface Failures {
    LeaseholdException failure(ErrorCategory category, String message, @Nullable Throwable cause);

    /** The failure of a call that found a row locked by other transactions until its timeout. */
    default LeaseholdException busy(String message) {
        return failure(ErrorCategory.NETWORK_TIMEOUT, message, null);
    }

    /** The failure of a call after close. */
    LeaseholdException closed();

    /** What a failure of the database means. */
    default LeaseholdException of(SQLException e) {
        return PostgresErrors.map(e, this);
    }
}
