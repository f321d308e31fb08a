package dev.leasehold.postgres.lock;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.Capabilities;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.FenceCounters;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Nodes on one database, all through one HikariCP pool. */
final class PostgresFixture implements LockFixture {
    private static final HikariDataSource POOL = pool();

    private final TestClock clock = new TestClock();
    private final List<PostgresLocks> nodes = new CopyOnWriteArrayList<>();

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(TestPostgres.newSchema());
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(4);
        HikariDataSource pool = new HikariDataSource(config);
        LockSchema.create(pool);
        return pool;
    }

    @Override
    public PostgresLocks node(LockOptions options) {
        PostgresLocks node = PostgresLocks.builder(POOL)
                .testClock(clock)
                .options(ignored -> options)
                .build();
        nodes.add(node);
        return node;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("postgres", true, Capabilities.TimeAuthority.SERVER);
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void setFenceCounter(String key, long value) {
        FenceCounters.set(POOL, key, value);
    }

    @Override
    public void close() {
        nodes.forEach(PostgresLocks::close);
    }
}
