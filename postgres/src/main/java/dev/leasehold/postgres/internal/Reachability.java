package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was last seen of a database: when it answered, and why it could not be reached if it has not answered since.
 *
 * <p>A pool that gives no connection may be exhausted, or unable to connect. Some pools report the reason once, and afterwards only a
 * timeout; some wait longer than a call. A database that answers may be slow for one caller because it is busy with another. So the
 * failure of one call depends on what other calls have seen.
 */
public final class Reachability {
    private final boolean isPool;
    private final Failures failures;
    private volatile long answeredNanos = System.nanoTime();
    private volatile @Nullable SQLException lost;

    /** @param isPool whether connections come from a pool, which may have none to give */
    public Reachability(boolean isPool, Failures failures) {
        this.isPool = isPool;
        this.failures = failures;
    }

    /** It has answered. */
    public void answered() {
        answeredNanos = System.nanoTime();
        if (lost != null) {
            lost = null;
        }
    }

    /** The server has ended an idle connection. */
    void connectionLost() {
        lost = new SQLException("PostgreSQL has ended a connection", "08006");
    }

    /** A message or an attempt to connect has failed; returns what that means. */
    public LeaseholdException failed(SQLException e) {
        SQLException last = lost;
        if (PostgresErrors.isUnreachable(e)) {
            lost = e;
        } else if (last != null && isExhausted(e)) {
            return failures.of(withReason(e, last));
        } else if (!PostgresErrors.isConnectionLost(e) && !isExhausted(e)) {
            answered();
        }
        return failures.of(e);
    }

    private static boolean isExhausted(SQLException e) {
        return e instanceof SQLTransientConnectionException;
    }

    private static SQLException withReason(SQLException e, SQLException reason) {
        return new SQLTransientConnectionException(e.getMessage(), e.getSQLState(), PostgresErrors.ofPool(reason));
    }

    /**
     * The failure of a call that has had no answer in time.
     *
     * @param ageNanos how old the call is
     * @param isConnecting whether a connection is being waited for
     */
    public LeaseholdException tooLate(Duration timeout, long ageNanos, boolean isConnecting) {
        String after = " within " + timeout.toMillis() + "ms";
        if (isConnecting) {
            return isPool
                    ? noConnection("The pool had no connection to give" + after)
                    : failures.failure(
                            ErrorCategory.NETWORK_TIMEOUT, "PostgreSQL did not accept a connection" + after, null);
        }
        long silence = System.nanoTime() - answeredNanos;
        return silence < ageNanos - timeout.toNanos() / 10
                ? failures.busy("PostgreSQL was busy with other calls, and did not answer this one" + after)
                : failures.failure(ErrorCategory.NETWORK_TIMEOUT, "PostgreSQL did not answer" + after, null);
    }

    private LeaseholdException noConnection(String message) {
        SQLException last = lost;
        return last == null
                ? failures.failure(ErrorCategory.RATE_LIMITED, message, null)
                : failures.of(withReason(new SQLException(message), last));
    }
}
