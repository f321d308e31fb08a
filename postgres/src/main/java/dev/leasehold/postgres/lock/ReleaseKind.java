package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Kind;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A group of releases. After the commit, and before the callers know, it tells who may be interested in the keys. */
final class ReleaseKind implements Kind<ReleaseKind.Wish, ReleaseResult> {
    private static final int MAX_GROUP = 256;

    private final Sql release;
    private final Sql carefully;
    private final StoreClock clock;
    private final String node;
    private final String channel;
    private final BiConsumer<List<String>, List<String>> onReleased;

    /**
     * @param carefully says more than {@code release}, for groups with a call that it said nothing of
     * @param onReleased hears which keys became free, as payloads: those nobody else waits for, and those that were notified
     */
    ReleaseKind(
            Sql release,
            Sql carefully,
            StoreClock clock,
            String node,
            String channel,
            BiConsumer<List<String>, List<String>> onReleased) {
        this.release = release;
        this.carefully = carefully;
        this.clock = clock;
        this.node = node;
        this.channel = channel;
        this.onReleased = onReleased;
    }

    /**
     * What to end.
     *
     * @param ttl only if the grant is as an acquire with this ttl left it; null: whatever has become of it
     * @param isHandedOver whether somebody here takes the lock in the same message, so that nobody needs to be told
     */
    record Wish(LockId lockId, @Nullable Duration ttl, boolean isHandedOver) {
        static Wish release(LockId lockId) {
            return new Wish(lockId, null, false);
        }

        static Wish handOver(LockId lockId) {
            return new Wish(lockId, null, true);
        }

        /** To give back what nobody has. */
        static Wish giveBack(AcquireAttempt attempt) {
            return new Wish(attempt.lockId(), attempt.isRepeatable() ? attempt.ttl() : null, false);
        }

        /** Whoever releases a grant has it, and may. */
        private Wish or(Wish other) {
            return ttl == null ? this : other;
        }

        private @Nullable Long ttlMs() {
            return ttl == null ? null : ttl.toMillis();
        }
    }

    @Override
    public String busyMessage() {
        return LockFailures.BUSY;
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<Call<Wish, ReleaseResult>> group) {
        return isCareful(group) ? carefully : release;
    }

    private static boolean isCareful(List<Call<Wish, ReleaseResult>> group) {
        return Call.isRepeatedIn(group);
    }

    @Override
    public int place() {
        return 1;
    }

    @Override
    public Map<String, @Nullable Object> values(List<Call<Wish, ReleaseResult>> group) {
        Map<LockId, Wish> wishes = new LinkedHashMap<>();
        group.forEach(call -> wishes.merge(call.request().lockId(), call.request(), Wish::or));
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("lock_ids", wishes.keySet().stream().map(LockId::value).toArray(String[]::new));
        values.put("ttls_ms", ttls(wishes.values()));
        values.put("handed_over", handedOver(group));
        values.put("node", node);
        values.put("channel", channel);
        values.put("now", clock.now());
        return values;
    }

    /** One that was busy before is alone by now. */
    private static String[] handedOver(List<Call<Wish, ReleaseResult>> group) {
        return group.stream()
                .filter(call -> call.request().isHandedOver && !call.isRepeated())
                .map(call -> call.request().lockId.value())
                .toArray(String[]::new);
    }

    private static Long @Nullable [] ttls(Collection<Wish> wishes) {
        return wishes.stream().allMatch(wish -> wish.ttl == null)
                ? null
                : wishes.stream().map(Wish::ttlMs).toArray(Long[]::new);
    }

    @Override
    public void answer(ResultSet row, List<Call<Wish, ReleaseResult>> group, List<Call<Wish, ReleaseResult>> busy)
            throws SQLException {
        Map<String, String> outcomes = new HashMap<>();
        List<String> quiet = new ArrayList<>();
        List<String> notified = new ArrayList<>();
        while (row.next()) {
            String outcome = Rows.text(row, "outcome");
            outcomes.put(Rows.text(row, "lock_id"), outcome);
            if (outcome.equals("r")) {
                (row.getBoolean("awaited") ? notified : quiet).add(Rows.text(row, "payload"));
            }
        }
        onReleased.accept(quiet, notified);
        answer(group, outcomes, busy);
    }

    /** Of several releases of the same grant in one group, the first is the one that did it. */
    private static void answer(
            List<Call<Wish, ReleaseResult>> group, Map<String, String> outcomes, List<Call<Wish, ReleaseResult>> busy) {
        Set<LockId> done = new HashSet<>();
        String unsaid = isCareful(group) ? "none" : "b";
        for (Call<Wish, ReleaseResult> call : group) {
            switch (outcomes.getOrDefault(call.request().lockId().value(), unsaid)) {
                case "r", "h" ->
                    call.succeed(done.add(call.request().lockId()) ? ReleaseResult.RELEASED : ReleaseResult.NOT_FOUND);
                case "x" -> call.succeed(ReleaseResult.EXPIRED);
                case "b" -> busy.add(call);
                default -> call.succeed(ReleaseResult.NOT_FOUND);
            }
        }
    }
}
