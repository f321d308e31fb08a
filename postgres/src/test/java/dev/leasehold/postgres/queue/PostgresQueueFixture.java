package dev.leasehold.postgres.queue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.Db;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.ds.PGSimpleDataSource;

/** Nodes on one database, in a schema of their own, all through one HikariCP pool. */
final class PostgresQueueFixture implements QueueFixture {
    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final HikariDataSource pool = pool(schema);
    private final TestClock clock = new TestClock();
    private final List<DiscardedItems> discarded = new CopyOnWriteArrayList<>();
    private final List<PostgresQueues> nodes = new CopyOnWriteArrayList<>();

    PostgresQueueFixture() {
        QueueSchema.create(pool);
    }

    private static HikariDataSource pool(PGSimpleDataSource schema) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(schema);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    @Override
    public Queues node() {
        return node(QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)));
    }

    @Override
    public Queues node(QueueOptions options) {
        PostgresQueues node = PostgresQueues.builder(pool)
                .testClock(clock)
                .options(ignored -> options.listener(discarded::add))
                .build();
        nodes.add(node);
        return node;
    }

    @Override
    public List<DiscardedItems> discarded() {
        return discarded;
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void close() {
        nodes.forEach(PostgresQueues::close);
        pool.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + schema.getCurrentSchema() + " cascade");
    }
}
