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

/** A group of releases. After the commit, and before the calls complete, it reports the keys that became free. */
final class ReleaseStatement implements BatchedStatement<ReleaseStatement.Request, ReleaseResult> {
    private static final int MAX_GROUP = 256;

    private final Sql release;
    private final Sql withReason;
    private final Sql afterAcquire;
    private final Sql waitingAfterAcquire;
    private final StoreClock clock;
    private final String node;
    private final BiConsumer<List<String>, List<String>> onReleased;

    /**
     * @param withReason says more than {@code release}, for groups with a call for which that returned nothing
     * @param finishedAcquires precedes that for groups with a grant whose acquire has an unknown outcome
     * @param waitForAdvisoryLock precedes that for a call that waits for its advisory lock
     * @param onReleased is called with the keys that became free, as payloads: those that no other node waits for, and those that others
     *     wait for, each with the node to notify
     */
    ReleaseStatement(
            Sql release,
            Sql withReason,
            Sql finishedAcquires,
            Sql waitForAdvisoryLock,
            StoreClock clock,
            String node,
            BiConsumer<List<String>, List<String>> onReleased) {
        this.release = release;
        this.withReason = withReason;
        this.afterAcquire = finishedAcquires.then(withReason);
        this.waitingAfterAcquire = waitForAdvisoryLock.then(afterAcquire);
        this.clock = clock;
        this.node = node;
        this.onReleased = onReleased;
    }

    /**
     * The grant to end.
     *
     * @param ttl only if the grant is as an acquire with this ttl left it; null: in any case
     * @param isHandedOver whether a waiter of this node acquires in the same message, so that no node needs to be notified
     * @param unsureKey the key of an acquire that may still be in flight: until it has ended, a missing grant means nothing
     */
    record Request(
            LockId lockId,
            @Nullable Duration ttl,
            boolean isHandedOver,
            @Nullable String unsureKey) {
        static Request release(LockId lockId) {
            return new Request(lockId, null, false, null);
        }

        static Request handOver(LockId lockId) {
            return new Request(lockId, null, true, null);
        }

        /** Ends a grant without an owner. */
        static Request giveBack(AcquireAttempt attempt) {
            return new Request(attempt.lockId(), attempt.isRepeatable() ? attempt.ttl() : null, false, null);
        }

        /** Ends a grant without an owner, whose acquire may still be in flight. */
        static Request giveBackUnknown(AcquireAttempt attempt) {
            Request known = giveBack(attempt);
            return new Request(known.lockId, known.ttl, false, attempt.key().value());
        }

        private boolean isUnsure() {
            return unsureKey != null;
        }

        /** A release by the holder outranks one of a grant without an owner. */
        private Request or(Request other) {
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

    /** Only a release that needs the advisory lock of its key. */
    @Override
    public @Nullable String waitsFor(PendingCall<Request, ReleaseResult> call) {
        String key = call.request().unsureKey;
        return key == null ? null : Md5.hex(key);
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<PendingCall<Request, ReleaseResult>> group) {
        if (isUnsure(group)) {
            return PendingCall.isWaiting(group) ? waitingAfterAcquire : afterAcquire;
        }
        return needsReason(group) ? withReason : release;
    }

    private static boolean isUnsure(List<PendingCall<Request, ReleaseResult>> group) {
        return group.stream().anyMatch(call -> call.request().isUnsure());
    }

    private static boolean needsReason(List<PendingCall<Request, ReleaseResult>> group) {
        return PendingCall.isRepeatedIn(group) || isUnsure(group);
    }

    @Override
    public int messageOrder() {
        return 1;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<Request, ReleaseResult>> group) {
        Map<LockId, Request> requests = new LinkedHashMap<>();
        group.forEach(call -> requests.merge(call.request().lockId(), call.request(), Request::or));
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("lock_ids", requests.keySet().stream().map(LockId::value).toArray(String[]::new));
        values.put("ttls_ms", ttls(requests.values()));
        values.put("handed_over", handedOver(group));
        values.put("unsure_ids", ofUnsure(group, request -> request.lockId.value()));
        String[] unsureKeys = ofUnsure(group, request -> String.valueOf(request.unsureKey));
        values.put("unsure_keys", unsureKeys);
        values.put("busy_keys", unsureKeys);
        values.put("busy_hashes", new long[0]);
        values.put("wait_ms", PendingCall.waitMillis(group));
        values.put("node", node);
        values.put("now", clock.now());
        return values;
    }

    private static String[] ofUnsure(List<PendingCall<Request, ReleaseResult>> group, Function<Request, String> what) {
        return group.stream()
                .map(PendingCall::request)
                .filter(Request::isUnsure)
                .map(what)
                .toArray(String[]::new);
    }

    /** A release that was busy before has lost its acquire by now. */
    private static String[] handedOver(List<PendingCall<Request, ReleaseResult>> group) {
        return group.stream()
                .filter(call -> call.request().isHandedOver && !call.isRepeated())
                .map(call -> call.request().lockId.value())
                .toArray(String[]::new);
    }

    private static Long @Nullable [] ttls(Collection<Request> requests) {
        return requests.stream().allMatch(request -> request.ttl == null)
                ? null
                : requests.stream().map(Request::ttlMs).toArray(Long[]::new);
    }

    @Override
    public void answer(
            ResultSet row,
            List<PendingCall<Request, ReleaseResult>> group,
            List<PendingCall<Request, ReleaseResult>> busy)
            throws SQLException {
        answer(row, Set.of(), group, busy);
    }

    @Override
    public void answerFromAll(
            List<ResultSet> sets,
            List<PendingCall<Request, ReleaseResult>> group,
            List<PendingCall<Request, ReleaseResult>> busy)
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
            List<PendingCall<Request, ReleaseResult>> group,
            List<PendingCall<Request, ReleaseResult>> busy)
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

    /** Adds the payload of a key that became free to {@code quiet}, or with the node to notify to {@code awaited}. */
    static void addReleased(ResultSet row, List<String> quiet, List<String> awaited) throws SQLException {
        String payload = Rows.text(row, "payload");
        @Nullable String next = row.getString("waiting_node");
        if (next == null) {
            quiet.add(payload);
        } else {
            awaited.add(payload + " " + next);
        }
    }

    /** Of several releases of the same grant in one group, the first one ended it. */
    private static void answer(
            List<PendingCall<Request, ReleaseResult>> group,
            Map<String, String> outcomes,
            Set<String> ended,
            List<PendingCall<Request, ReleaseResult>> busy) {
        Set<LockId> done = new HashSet<>();
        boolean withReason = needsReason(group);
        for (PendingCall<Request, ReleaseResult> call : group) {
            String lockId = call.request().lockId().value();
            boolean isFinal = withReason && (!call.request().isUnsure() || ended.contains(lockId));
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
