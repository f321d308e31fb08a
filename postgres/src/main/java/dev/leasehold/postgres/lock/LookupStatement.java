package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.Liveness;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A group of lookups, by key or by lock id. */
final class LookupStatement implements BatchedStatement<String, LookupStatement.Found> {
    private static final int MAX_GROUP = 512;

    private final Sql sql;
    private final StoreClock clock;
    private final String column;
    private final String parameter;

    private LookupStatement(Sql sql, StoreClock clock, String column, String parameter) {
        this.sql = sql;
        this.clock = clock;
        this.column = column;
        this.parameter = parameter;
    }

    static LookupStatement byKey(Sql sql, StoreClock clock) {
        return new LookupStatement(sql, clock, "key", "keys");
    }

    static LookupStatement byId(Sql sql, StoreClock clock) {
        return new LookupStatement(sql, clock, "lock_id", "lock_ids");
    }

    /** The live grant, if any; otherwise whether a row is there that a sweep may take. */
    record Found(Optional<LockInfo> live, boolean sweepable) {
        static final Found NOTHING = new Found(Optional.empty(), false);
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<PendingCall<String, Found>> group) {
        return sql;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<String, Found>> group) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put(
                parameter, group.stream().map(PendingCall::request).distinct().toArray(String[]::new));
        values.put("now", clock.now());
        return values;
    }

    @Override
    public void answer(ResultSet row, List<PendingCall<String, Found>> group, List<PendingCall<String, Found>> busy)
            throws SQLException {
        Map<String, Found> found = new HashMap<>();
        Map<String, LockException> unreadable = new HashMap<>();
        while (row.next()) {
            try {
                found.put(Rows.text(row, column), found(row));
            } catch (LockException e) {
                unreadable.put(
                        Rows.text(row, column), new LockException(LockErrorCode.INTERNAL, "Invalid lock row data", e));
            }
        }
        for (PendingCall<String, Found> call : group) {
            LockException failure = unreadable.get(call.request());
            if (failure != null) {
                call.fail(failure);
            } else {
                call.succeed(found.getOrDefault(call.request(), Found.NOTHING));
            }
        }
    }

    private static Found found(ResultSet row) throws SQLException {
        long expiresAtMs = row.getLong("expires_at_ms");
        long nowMs = row.getLong("now_ms");
        if (!Liveness.isLive(expiresAtMs, nowMs)) {
            return new Found(Optional.empty(), expiresAtMs < nowMs - Liveness.SWEEP_AFTER_MS);
        }
        @Nullable String owner = row.getString("owner");
        LockInfo info = LockInfo.of(
                LockKey.of(row.getString("key")),
                LockId.of(row.getString("lock_id")),
                Rows.instant(row, "acquired_at_ms"),
                Rows.instant(row, "expires_at_ms"),
                Fence.parse(Rows.text(row, "fence")),
                owner == null ? null : Holder.of(owner, row.getString("instance_id")));
        return new Found(Optional.of(info), false);
    }
}
