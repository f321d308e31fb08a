package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.ErrorCategory;
import dev.leasehold.postgres.internal.Failures;
import dev.leasehold.postgres.internal.PostgresErrors;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.spi.BusyException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Maps failures of the engine to exceptions of queues. */
enum QueueFailures implements Failures {
    INSTANCE;

    private static final String NO_SUCH_TABLE = "42P01";
    private static final String NOT_SUPPORTED = "0A000";

    /**
     * What produce.sql fails with: when the item would be ready and when it expires, in seconds since 1970. Every language has its own
     * quotes around it.
     */
    private static final Pattern EXPIRES_FIRST = Pattern.compile("expires first (-?[0-9.]+) (-?[0-9.]+)");

    /** The server ended a statement that took too long, waited too long for a lock, or was in conflict with another transaction. */
    private static final Set<String> BUSY = Set.of("57014", "55P03", "40001", "40P01");

    @Override
    public QueueException failure(ErrorCategory category, String message, @Nullable Throwable cause) {
        Matcher expiresFirst = EXPIRES_FIRST.matcher(message);
        if (expiresFirst.find()) {
            return QueueRules.expiresFirst(moment(expiresFirst.group(1)), moment(expiresFirst.group(2)));
        }
        return cause instanceof SQLException sql && BUSY.contains(String.valueOf(sql.getSQLState()))
                ? new BusyException(QueueErrorCode.valueOf(category.name()), message, cause)
                : new QueueException(QueueErrorCode.valueOf(category.name()), message, cause);
    }

    private static Instant moment(String epochSeconds) {
        BigDecimal micros = new BigDecimal(epochSeconds).movePointRight(6);
        return Instant.EPOCH.plus(micros.longValue(), ChronoUnit.MICROS);
    }

    @Override
    public QueueException busy(String message) {
        return new BusyException(QueueErrorCode.NETWORK_TIMEOUT, message, null);
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
        return hasState(failure, NO_SUCH_TABLE);
    }

    /** Whether a call failed because the server cannot do what was asked: the queue was restored from one that tells its timeline. */
    static boolean isNotSupported(@Nullable Throwable failure) {
        return hasState(failure, NOT_SUPPORTED);
    }

    private static boolean hasState(@Nullable Throwable failure, String state) {
        return failure != null && failure.getCause() instanceof SQLException cause && state.equals(cause.getSQLState());
    }
}
