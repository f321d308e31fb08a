package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.QueueException;
import java.time.Duration;
import javax.sql.DataSource;

/** The checked configuration of one store. */
record PostgresQueueConfig(
        DataSource dataSource,
        DataSource listenDataSource,
        QueueTables tables,
        int connections,
        int groupLimit,
        Duration timeout,
        StoreClock clock) {
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);

    PostgresQueueConfig {
        if (connections < 1) {
            throw QueueException.invalidArgument("connections must be at least 1, got " + connections);
        }
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw QueueException.invalidArgument("timeout must be between 100ms and one day, got " + timeout);
        }
    }
}
