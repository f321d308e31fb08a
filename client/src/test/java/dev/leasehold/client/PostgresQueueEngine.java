package dev.leasehold.client;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Nodes on one database, in a schema of their own, closed by the servers that they are given to. Each has its own pool, as servers
 * have: if they shared one, the connections that one keeps for a while would be missing to the others.
 */
final class PostgresQueueEngine implements QueueFixture {
    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();
    private final TestClock clock = new TestClock();

    PostgresQueueEngine() {
        QueueSchema.create(schema);
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(schema);
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    @Override
    public Queues node() {
        return node(QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)));
    }

    @Override
    public Queues node(QueueOptions options) {
        return PostgresQueues.builder(pool())
                .testClock(clock)
                .options(ignored -> options)
                .build();
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        try (Connection connection = TestPostgres.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema " + schema.getCurrentSchema() + " cascade");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
