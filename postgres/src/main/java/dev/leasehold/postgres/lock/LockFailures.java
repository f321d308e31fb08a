package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.internal.ErrorCategory;
import dev.leasehold.postgres.internal.Failures;
import dev.leasehold.postgres.internal.PostgresErrors;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The exceptions of locks. */
enum LockFailures implements Failures {
    INSTANCE;

    /** The message for a call that met a lock of another transaction until its timeout. */
    static final String BUSY =
            "Another transaction has kept the lock's row or advisory lock locked all the while (a guard that has not"
                    + " ended, or a client that stalled)";

    @Override
    public LockException failure(ErrorCategory category, String message, @Nullable Throwable cause) {
        return new LockException(LockErrorCode.valueOf(category.name()), message, cause);
    }

    @Override
    public LockException closed() {
        return new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "Locks are closed");
    }

    /** Two acquires at the same time chose the same lock id for different keys: acquire.sql finds only what was there before. */
    @Override
    public LockException of(SQLException e) {
        return PostgresErrors.isDuplicateIn(e, LockTables.LOCK_ID_INDEX)
                ? LockException.lockIdInUse()
                : (LockException) PostgresErrors.map(e, this);
    }

    static LockException map(SQLException e) {
        return INSTANCE.of(e);
    }
}
