package dev.leasehold.client;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseLocks;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Nodes on one database, closed by the servers that they are given to. */
final class PostgresLockEngine implements LockFixture {
    private static final HikariDataSource POOL = pool();

    private final TestClock clock = new TestClock();

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
    public LeaseLocks<?> node(LockOptions options) {
        return PostgresLocks.builder(POOL)
                .testClock(clock)
                .options(ignored -> options)
                .build();
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
    public void close() {}
}
