package dev.leasehold.chaos.workload;

import static java.util.Objects.requireNonNull;

import dev.leasehold.lock.LockId;
import dev.leasehold.testkit.process.Polling;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Acquires as a SyncGuard client does: under the advisory lock of the key it looks at the row, and then writes it whatever it is. */
public final class OtherClient {
    private final DataSource dataSource;

    public OtherClient(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** A grant. */
    public record Acquired(String lockId, long fence) {}

    /**
     * Acquires if nobody has the lock.
     *
     * @param thinkMs how long it takes from looking to writing
     */
    public Optional<Acquired> acquire(String key, Duration ttl, int thinkMs) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            query(connection, "select pg_advisory_xact_lock(hashtext(?))::text", key);
            String live = query(
                    connection,
                    "select 1 from syncguard_locks where key = ?"
                            + " and expires_at_ms + 1000 > extract(epoch from clock_timestamp()) * 1000",
                    key);
            Polling.sleep(thinkMs);
            Optional<Acquired> acquired =
                    live == null ? Optional.of(write(connection, key, ttl.toMillis())) : Optional.empty();
            connection.commit();
            return acquired;
        }
    }

    private static Acquired write(Connection connection, String key, long ttlMs) throws SQLException {
        String fence = requireNonNull(query(
                connection,
                "insert into syncguard_fence_counters as f (fence_key, fence, key_debug) values ('fence:' || ?, 1, '')"
                        + " on conflict (fence_key) do update set fence = f.fence + 1 returning fence",
                key));
        String lockId = LockId.generate().value();
        query(
                connection,
                "insert into syncguard_locks (key, lock_id, fence, expires_at_ms, acquired_at_ms, user_key)"
                        + " select ?, ?, lpad(?, 15, '0'), n.ms + ?::bigint, n.ms, ''"
                        + " from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms) as n"
                        + " on conflict (key) do update set lock_id = excluded.lock_id, fence = excluded.fence,"
                        + " expires_at_ms = excluded.expires_at_ms, acquired_at_ms = excluded.acquired_at_ms returning 1",
                key,
                lockId,
                fence,
                ttlMs);
        return new Acquired(lockId, Long.parseLong(fence));
    }

    /** Whether there was such a grant. */
    public boolean release(String lockId) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return query(connection, "delete from syncguard_locks where lock_id = ? returning 1", lockId) != null;
        }
    }

    private static @Nullable String query(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}
