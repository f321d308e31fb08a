package dev.leasehold.bench.lock;

import dev.leasehold.bench.Versions;
import dev.leasehold.postgres.lock.LockSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The best statement for one lock, through plain pgjdbc: the ceiling of whoever sends every call on its own. */
final class RawLocker implements Locker {
    private final AtomicLong ids = new AtomicLong();
    private final DataSource dataSource;

    private RawLocker(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static LockSystem system() {
        return new LockSystem(
                "raw-single",
                Versions.of("pgjdbc"),
                "one hand-written statement for each call, fenced, prepared, HikariCP with 8 connections",
                LockSchema::create,
                RawLocker::new);
    }

    @Override
    public @Nullable Held acquire(String key, Duration wait) throws SQLException {
        String lockId = "%022d".formatted(ids.incrementAndGet());
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(RawSql.ACQUIRE_ONE)) {
            statement.setString(1, key);
            statement.setString(2, lockId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? () -> release(lockId) : null;
            }
        }
    }

    private void release(String lockId) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(RawSql.RELEASE_ONE)) {
            statement.setString(1, lockId);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("a lock that was granted could not be given back");
            }
        }
    }

    @Override
    public void close() {}
}
