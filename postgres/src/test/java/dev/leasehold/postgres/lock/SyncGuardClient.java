package dev.leasehold.postgres.lock;

import static java.util.Objects.requireNonNull;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.Liveness;
import dev.leasehold.postgres.Db;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Does to the tables what a SyncGuard 2.5 client does: the same statements in the same order in one READ COMMITTED transaction,
 * with its weaknesses (time taken at the start, an unlocked look, an unconditional write). A test can stop it in between.
 */
final class SyncGuardClient {
    private final DataSource dataSource;
    private Runnable beforeWrite = () -> {};

    SyncGuardClient(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    record Acquired(String lockId, long fence, long expiresAtMs) {}

    /** Runs {@code action} in the middle of the next calls, when everything is read and nothing written. */
    SyncGuardClient beforeWrite(Runnable action) {
        this.beforeWrite = action;
        return this;
    }

    Optional<Acquired> acquire(String key, long ttlMs) throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            query(connection, "select pg_advisory_xact_lock(hashtext(?))", key);
            long now = now(connection);
            Long expiry = expiry(connection, "select expires_at_ms from syncguard_locks where key = ?", key);
            if (expiry != null && Liveness.isLive(expiry, now)) {
                connection.commit();
                return Optional.empty();
            }
            beforeWrite.run();
            Acquired acquired = write(connection, key, now, ttlMs);
            connection.commit();
            return Optional.of(acquired);
        }
    }

    private static Acquired write(Connection connection, String key, long now, long ttlMs) throws SQLException {
        update(
                connection,
                "insert into syncguard_fence_counters (fence_key, fence, key_debug) values (?, 0, ?)"
                        + " on conflict (fence_key) do nothing",
                "fence:" + key,
                key);
        String fenceText = query(
                connection,
                "update syncguard_fence_counters set fence = fence + 1 where fence_key = ? returning fence",
                "fence:" + key);
        long fence = Long.parseLong(requireNonNull(fenceText));
        String lockId = LockId.generate().value();
        update(
                connection,
                "insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                        + " values (?, ?, ?, ?, lpad(?::text, 15, '0'), ?) on conflict (key) do update set"
                        + " lock_id = excluded.lock_id, expires_at_ms = excluded.expires_at_ms,"
                        + " acquired_at_ms = excluded.acquired_at_ms, fence = excluded.fence, user_key = excluded.user_key",
                key,
                lockId,
                now + ttlMs,
                now,
                fence,
                key);
        return new Acquired(lockId, fence, now + ttlMs);
    }

    boolean release(String lockId) throws SQLException {
        return mutate(
                lockId,
                (connection, now) -> update(connection, "delete from syncguard_locks where lock_id = ?", lockId));
    }

    boolean extend(String lockId, long ttlMs) throws SQLException {
        return mutate(
                lockId,
                (connection, now) -> update(
                        connection,
                        "update syncguard_locks set expires_at_ms = ? where lock_id = ?",
                        now + ttlMs,
                        lockId));
    }

    private boolean mutate(String lockId, Mutation mutation) throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            long now = now(connection);
            Long expiry = expiry(
                    connection, "select expires_at_ms from syncguard_locks where lock_id = ? for update", lockId);
            if (expiry == null || !Liveness.isLive(expiry, now)) {
                connection.commit();
                return false;
            }
            beforeWrite.run();
            mutation.apply(connection, now);
            connection.commit();
            return true;
        }
    }

    private interface Mutation {
        void apply(Connection connection, long nowMs) throws SQLException;
    }

    private static long now(Connection connection) throws SQLException {
        return Db.number(connection, "select floor(extract(epoch from now()) * 1000)");
    }

    private static @Nullable Long expiry(Connection connection, String sql, String value) throws SQLException {
        String text = query(connection, sql, value);
        return text == null ? null : Long.valueOf(text);
    }

    private static @Nullable String query(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private static void update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            statement.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
