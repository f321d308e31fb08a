package dev.leasehold.postgres.lock;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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
    public TestClock clock() {
        return clock;
    }

    @Override
    public void setFenceCounter(String key, long value) {
        try (Connection connection = POOL.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "insert into syncguard_fence_counters (fence_key, fence, key_debug) values (?, ?, ?)"
                                + " on conflict (fence_key) do update set fence = excluded.fence")) {
            statement.setString(1, "fence:" + key);
            statement.setLong(2, value);
            statement.setString(3, key);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        nodes.forEach(PostgresLocks::close);
    }
}
