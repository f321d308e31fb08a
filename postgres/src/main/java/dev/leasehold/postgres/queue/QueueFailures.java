package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Failures;
import dev.leasehold.postgres.internal.PostgresErrors;
import dev.leasehold.postgres.internal.Trouble;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.BusyException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Failures of the engine as the callers of queues are told them. */
enum QueueFailures implements Failures {
    INSTANCE;

    private static final String NO_SUCH_TABLE = "42P01";

    /** The server ended a statement that took too long, or waited too long for a lock. */
    private static final Set<String> BUSY = Set.of("57014", "55P03");

    @Override
    public QueueException failure(Trouble trouble, String message, @Nullable Throwable cause) {
        return cause instanceof SQLException sql && BUSY.contains(String.valueOf(sql.getSQLState()))
                ? new BusyException(message, cause)
                : new QueueException(QueueErrorCode.valueOf(trouble.name()), message, cause);
    }

    @Override
    public QueueException busy(String message) {
        return new BusyException(message, null);
    }

    @Override
    public QueueException closed() {
        return new QueueException(QueueErrorCode.SHUTTING_DOWN, "service is shutting down");
    }

    static QueueException map(SQLException e) {
        return (QueueException) PostgresErrors.map(e, INSTANCE);
    }

    /** Whether a call failed because a table was not there. */
    static boolean isMissingTable(@Nullable Throwable failure) {
        return failure != null
                && failure.getCause() instanceof SQLException cause
                && NO_SUCH_TABLE.equals(cause.getSQLState());
    }
}
