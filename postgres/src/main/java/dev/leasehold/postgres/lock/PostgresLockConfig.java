package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.internal.StoreClock;
import java.time.Duration;
import javax.sql.DataSource;

/** What a {@link PostgresLocks.Builder} was told, checked. */
record PostgresLockConfig(
        DataSource dataSource,
        DataSource listenDataSource,
        LockTables tables,
        int connections,
        int groupLimit,
        Duration timeout,
        Duration sweepInterval,
        boolean cleanupInIsLocked,
        StoreClock clock) {

    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);

    PostgresLockConfig {
        if (connections < 1) {
            throw LockException.invalidArgument("connections must be at least 1, got " + connections);
        }
        if (groupLimit < 1) {
            throw LockException.invalidArgument("groupLimit must be at least 1, got " + groupLimit);
        }
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw LockException.invalidArgument("timeout must be between 100ms and one day, got " + timeout);
        }
        if (sweepInterval.isNegative()) {
            throw LockException.invalidArgument("sweepInterval must not be negative, got " + sweepInterval);
        }
    }
}
