package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A group of renewals by holders, one per key: each adds to what the one before it left. */
final class RenewByHolderStatement implements BatchedStatement<RenewByHolderStatement.Renewal, Optional<HeldBy>> {
    private static final int MAX_GROUP = 256;

    private final Sql renew;
    private final Sql waitingRenew;
    private final StoreClock clock;

    /** @param waitForAdvisoryLock precedes it for a call that waits for its advisory lock */
    RenewByHolderStatement(Sql renew, Sql waitForAdvisoryLock, StoreClock clock) {
        this.renew = renew;
        this.waitingRenew = waitForAdvisoryLock.then(renew);
        this.clock = clock;
    }

    /** A holder's request for more time. */
    record Renewal(LockKey key, Holder holder, Duration more) {}

    @Override
    public String busyMessage() {
        return LockFailures.BUSY;
    }

    @Override
    public String waitsFor(PendingCall<Renewal, Optional<HeldBy>> call) {
        return Md5.hex(call.request().key().value());
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
    public Predicate<Renewal> admission() {
        Set<LockKey> keys = new HashSet<>();
        return renewal -> keys.add(renewal.key());
    }

    @Override
    public Sql sql(List<PendingCall<Renewal, Optional<HeldBy>>> group) {
        return PendingCall.isWaiting(group) ? waitingRenew : renew;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<Renewal, Optional<HeldBy>>> group) {
        List<Renewal> renewals = group.stream().map(PendingCall::request).toList();
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("keys", renewals.stream().map(r -> r.key().value()).toArray(String[]::new));
        values.put("owners", renewals.stream().map(r -> r.holder().owner()).toArray(String[]::new));
        values.put(
                "instance_ids",
                renewals.stream().map(r -> r.holder().instanceId()).toArray(String[]::new));
        values.put(
                "mores_ms",
                renewals.stream().mapToLong(r -> r.more().toMillis()).toArray());
        values.put("busy_hashes", new long[0]);
        values.put(
                "busy_keys",
                PendingCall.repeatedIn(group, renewal -> renewal.key().value()));
        values.put("wait_ms", PendingCall.waitMillis(group));
        values.put("now", clock.now());
        return values;
    }

    @Override
    public void answer(
            ResultSet row,
            List<PendingCall<Renewal, Optional<HeldBy>>> group,
            List<PendingCall<Renewal, Optional<HeldBy>>> busy)
            throws SQLException {
        Map<Integer, @Nullable HeldBy> outcomes = new HashMap<>();
        while (row.next()) {
            outcomes.put(row.getInt("place") - 1, Rows.text(row, "outcome").equals("e") ? heldBy(row) : null);
        }
        for (int i = 0; i < group.size(); i++) {
            HeldBy held = outcomes.get(i);
            if (held == null && outcomes.containsKey(i)) {
                busy.add(group.get(i));
            } else {
                group.get(i).succeed(Optional.ofNullable(held));
            }
        }
    }

    private static HeldBy heldBy(ResultSet row) throws SQLException {
        return new HeldBy(
                LockId.of(row.getString("lock_id")),
                Fence.of(row.getLong("fence")),
                Duration.ofMillis(row.getLong("lease_ms")),
                Rows.instant(row, "acquired_at_ms"),
                Rows.instant(row, "expires_at_ms"));
    }
}
