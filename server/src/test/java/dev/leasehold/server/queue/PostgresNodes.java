package dev.leasehold.server.queue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.Queues;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;

/** Nodes on one database, in a schema of their own. Their servers close them. */
final class PostgresNodes implements QueueFixture {
    private final HikariDataSource pool = pool();
    private final TestClock clock = new TestClock();

    PostgresNodes() {
        QueueSchema.create(pool);
    }

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(TestPostgres.newSchema());
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    @Override
    public Queues node() {
        return PostgresQueues.builder(pool)
                .testClock(clock)
                .timeout(Duration.ofSeconds(20))
                .options(options -> options.lookInterval(Duration.ofMillis(20)))
                .build();
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void close() {
        pool.close();
    }
}
