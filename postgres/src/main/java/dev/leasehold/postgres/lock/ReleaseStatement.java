package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A group of releases. After the commit, and before the callers know, it tells who may be interested in the keys. */
final class ReleaseStatement implements BatchedStatement<ReleaseStatement.Wish, ReleaseResult> {
    private static final int MAX_GROUP = 256;

    private final Sql release;
    private final Sql carefully;
    private final Sql afterAcquire;
    private final Sql patientlyAfterAcquire;
    private final StoreClock clock;
    private final String node;
    private final BiConsumer<List<String>, List<String>> onReleased;

    /**
     * @param carefully says more than {@code release}, for groups with a call that it said nothing of
     * @param acquireEnded goes before that, for groups with a grant of which nobody knows whether it has come
     * @param patiently goes before that, for a call that waits for its turn
     * @param onReleased hears which keys became free, as payloads: those nobody else waits for, and those others wait for, each with
     *     the node that is to be told
     */
    ReleaseStatement(
            Sql release,
            Sql carefully,
            Sql acquireEnded,
            Sql patiently,
            StoreClock clock,
            String node,
            BiConsumer<List<String>, List<String>> onReleased) {
        this.release = release;
        this.carefully = carefully;
        this.afterAcquire = acquireEnded.then(carefully);
        this.patientlyAfterAcquire = patiently.then(afterAcquire);
        this.clock = clock;
        this.node = node;
        this.onReleased = onReleased;
    }

    /**
     * What to end.
     *
     * @param ttl only if the grant is as an acquire with this ttl left it; null: whatever has become of it
     * @param isHandedOver whether somebody here takes the lock in the same message, so that nobody needs to be told
     * @param unsureKey the key of an acquire that may still be under way: until it is not, that nothing is found means nothing
     */
    record Wish(
            LockId lockId,
            @Nullable Duration ttl,
            boolean isHandedOver,
            @Nullable String unsureKey) {
        static Wish release(LockId lockId) {
            return new Wish(lockId, null, false, null);
        }

        static Wish handOver(LockId lockId) {
            return new Wish(lockId, null, true, null);
        }

        /** To give back what nobody has. */
        static Wish giveBack(AcquireAttempt attempt) {
            return new Wish(attempt.lockId(), attempt.isRepeatable() ? attempt.ttl() : null, false, null);
        }

        /** To give back what nobody has, if it has come or still comes. */
        static Wish giveBackUnknown(AcquireAttempt attempt) {
            Wish known = giveBack(attempt);
            return new Wish(known.lockId, known.ttl, false, attempt.key().value());
        }

        private boolean isUnsure() {
            return unsureKey != null;
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

    /** Only one that needs the advisory lock of its key. */
    @Override
    public @Nullable String waitsFor(PendingCall<Wish, ReleaseResult> call) {
        String key = call.request().unsureKey;
        return key == null ? null : Md5.hex(key);
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<PendingCall<Wish, ReleaseResult>> group) {
        if (isUnsure(group)) {
            return PendingCall.isWaiting(group) ? patientlyAfterAcquire : afterAcquire;
        }
        return isCareful(group) ? carefully : release;
    }

    private static boolean isUnsure(List<PendingCall<Wish, ReleaseResult>> group) {
        return group.stream().anyMatch(call -> call.request().isUnsure());
    }

    private static boolean isCareful(List<PendingCall<Wish, ReleaseResult>> group) {
        return PendingCall.isRepeatedIn(group) || isUnsure(group);
    }

    @Override
    public int messageOrder() {
        return 1;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<Wish, ReleaseResult>> group) {
        Map<LockId, Wish> wishes = new LinkedHashMap<>();
        group.forEach(call -> wishes.merge(call.request().lockId(), call.request(), Wish::or));
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("lock_ids", wishes.keySet().stream().map(LockId::value).toArray(String[]::new));
        values.put("ttls_ms", ttls(wishes.values()));
        values.put("handed_over", handedOver(group));
        values.put("unsure_ids", ofUnsure(group, wish -> wish.lockId.value()));
        String[] unsureKeys = ofUnsure(group, wish -> String.valueOf(wish.unsureKey));
        values.put("unsure_keys", unsureKeys);
        values.put("busy_keys", unsureKeys);
        values.put("busy_hashes", new long[0]);
        values.put("wait_ms", PendingCall.waitMillis(group));
        values.put("node", node);
        values.put("now", clock.now());
        return values;
    }

    private static String[] ofUnsure(List<PendingCall<Wish, ReleaseResult>> group, Function<Wish, String> what) {
        return group.stream()
                .map(PendingCall::request)
                .filter(Wish::isUnsure)
                .map(what)
                .toArray(String[]::new);
    }

    /** One that was busy before is alone by now. */
    private static String[] handedOver(List<PendingCall<Wish, ReleaseResult>> group) {
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
    public void answer(
            ResultSet row, List<PendingCall<Wish, ReleaseResult>> group, List<PendingCall<Wish, ReleaseResult>> busy)
            throws SQLException {
        answer(row, Set.of(), group, busy);
    }

    @Override
    public void answerFromAll(
            List<ResultSet> sets,
            List<PendingCall<Wish, ReleaseResult>> group,
            List<PendingCall<Wish, ReleaseResult>> busy)
            throws SQLException {
        int last = sets.size() - 1;
        Set<String> ended = new HashSet<>();
        while (isUnsure(group) && sets.get(last - 1).next()) {
            ended.add(Rows.text(sets.get(last - 1), "lock_id"));
        }
        answer(sets.get(last), ended, group, busy);
    }

    private void answer(
            ResultSet row,
            Set<String> ended,
            List<PendingCall<Wish, ReleaseResult>> group,
            List<PendingCall<Wish, ReleaseResult>> busy)
            throws SQLException {
        Map<String, String> outcomes = new HashMap<>();
        List<String> quiet = new ArrayList<>();
        List<String> awaited = new ArrayList<>();
        while (row.next()) {
            String outcome = Rows.text(row, "outcome");
            outcomes.put(Rows.text(row, "lock_id"), outcome);
            if (outcome.equals("r")) {
                addReleased(row, quiet, awaited);
            }
        }
        onReleased.accept(quiet, awaited);
        answer(group, outcomes, ended, busy);
    }

    /** Adds the payload of a key that became free to those nobody else waits for, or with the next node to the others. */
    static void addReleased(ResultSet row, List<String> quiet, List<String> awaited) throws SQLException {
        String payload = Rows.text(row, "payload");
        @Nullable String next = row.getString("waiting_node");
        if (next == null) {
            quiet.add(payload);
        } else {
            awaited.add(payload + " " + next);
        }
    }

    /** Of several releases of the same grant in one group, the first is the one that did it. */
    private static void answer(
            List<PendingCall<Wish, ReleaseResult>> group,
            Map<String, String> outcomes,
            Set<String> ended,
            List<PendingCall<Wish, ReleaseResult>> busy) {
        Set<LockId> done = new HashSet<>();
        boolean isCareful = isCareful(group);
        for (PendingCall<Wish, ReleaseResult> call : group) {
            String lockId = call.request().lockId().value();
            boolean isFinal = isCareful && (!call.request().isUnsure() || ended.contains(lockId));
            switch (outcomes.getOrDefault(lockId, isFinal ? "none" : "b")) {
                case "r", "h" ->
                    call.succeed(done.add(call.request().lockId()) ? ReleaseResult.RELEASED : ReleaseResult.NOT_FOUND);
                case "x" -> call.succeed(ReleaseResult.EXPIRED);
                case "b" -> busy.add(call);
                default -> call.succeed(ReleaseResult.NOT_FOUND);
            }
        }
    }
}
