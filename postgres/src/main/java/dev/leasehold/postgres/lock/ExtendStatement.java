package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A group of extensions: the locks of a JVM are renewed together. Each takes an advisory lock until the commit, and all transactions of a
 * server share a lock table of some thousand entries, so a group takes a small part of it only.
 */
final class ExtendStatement implements BatchedStatement<Extension, ExtendResult> {
    private static final int MAX_GROUP = 256;

    private final Sql extend;
    private final Sql waitingExtend;
    private final StoreClock clock;

    /** @param waitForAdvisoryLock precedes it for a call that waits for its advisory lock */
    ExtendStatement(Sql extend, Sql waitForAdvisoryLock, StoreClock clock) {
        this.extend = extend;
        this.waitingExtend = waitForAdvisoryLock.then(extend);
        this.clock = clock;
    }

    @Override
    public String busyMessage() {
        return LockFailures.BUSY;
    }

    /** Known once the statement has returned it as busy. */
    @Override
    public @Nullable String waitsFor(PendingCall<Extension, ExtendResult> call) {
        PendingCall.Turn turn = call.turn();
        return turn == null ? null : turn.what();
    }

    @Override
    public boolean hasReservedLane() {
        return true;
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<PendingCall<Extension, ExtendResult>> group) {
        return PendingCall.isWaiting(group) ? waitingExtend : extend;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<Extension, ExtendResult>> group) {
        Map<LockId, Long> ttls = new LinkedHashMap<>();
        group.forEach(
                call -> ttls.put(call.request().lockId(), call.request().ttl().toMillis()));
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("lock_ids", ttls.keySet().stream().map(LockId::value).toArray(String[]::new));
        values.put("ttls_ms", ttls.values().stream().mapToLong(Long::longValue).toArray());
        values.put("busy_keys", new String[0]);
        values.put("busy_hashes", advisoryLocks(group));
        values.put("wait_ms", PendingCall.waitMillis(group));
        values.put("now", clock.now());
        return values;
    }

    private static long[] advisoryLocks(List<PendingCall<Extension, ExtendResult>> group) {
        return group.stream()
                .map(PendingCall::turn)
                .filter(Objects::nonNull)
                .mapToLong(PendingCall.Turn::advisoryLock)
                .toArray();
    }

    @Override
    public void answer(
            ResultSet row,
            List<PendingCall<Extension, ExtendResult>> group,
            List<PendingCall<Extension, ExtendResult>> busy)
            throws SQLException {
        Map<String, ExtendResult> outcomes = new HashMap<>();
        Map<String, PendingCall.Turn> turns = new HashMap<>();
        while (row.next()) {
            String lockId = Rows.text(row, "lock_id");
            switch (Rows.text(row, "outcome")) {
                case "e" -> outcomes.put(lockId, new Extended(Rows.instant(row, "expires_at_ms")));
                case "x" -> outcomes.put(lockId, Gone.EXPIRED);
                default ->
                    turns.put(lockId, new PendingCall.Turn(Rows.text(row, "payload"), row.getLong("advisory_lock")));
            }
        }
        for (PendingCall<Extension, ExtendResult> call : group) {
            String lockId = call.request().lockId().value();
            PendingCall.Turn turn = turns.get(lockId);
            if (turn == null) {
                call.succeed(outcomes.getOrDefault(lockId, Gone.NOT_FOUND));
            } else {
                call.turn(turn);
                busy.add(call);
            }
        }
    }
}
