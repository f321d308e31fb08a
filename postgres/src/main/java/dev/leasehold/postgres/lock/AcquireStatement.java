package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group of attempts to acquire.
 *
 * <p>Attempts for the same key travel as one: the first that came decides, and the others have lost, because either it has the
 * lock now or whoever it lost to. Those who may have the lock already, by its lock id or as its holder, are asked for before all
 * others, each for itself, to be given the same grant. Two attempts for the same grant go one after the other.
 */
final class AcquireStatement implements BatchedStatement<AcquireAttempt, AcquireResult> {
    private static final int MAX_GROUP = 256;

    private final Sql acquire;
    private final Sql againAcquire;
    private final Sql deadAgainAcquire;
    private final Sql patientlyAcquire;
    private final StoreClock clock;
    private final UnclaimedGrants unclaimedGrants;

    /**
     * @param again goes before, for groups with somebody who may have the lock already
     * @param dead goes before that, for groups with a call that was busy before: deletes what is dead
     * @param patiently goes before that, for a call that waits for its turn
     * @param unclaimedGrants what to do about grants that no caller was told of
     */
    AcquireStatement(
            Sql acquire, Sql again, Sql dead, Sql patiently, StoreClock clock, UnclaimedGrants unclaimedGrants) {
        this.acquire = acquire;
        this.againAcquire = again.then(acquire);
        this.deadAgainAcquire = dead.then(againAcquire);
        this.patientlyAcquire = patiently.then(deadAgainAcquire);
        this.clock = clock;
        this.unclaimedGrants = unclaimedGrants;
    }

    /** What becomes of a grant that no caller was told of. */
    interface UnclaimedGrants {
        /** It has come, and its caller had gone. */
        void onAbandoned(AcquireAttempt attempt);

        /** It may have come, or may still come. */
        void onOutcomeUnknown(AcquireAttempt attempt);
    }

    @Override
    public String busyMessage() {
        return LockFailures.BUSY;
    }

    @Override
    public String waitsFor(PendingCall<AcquireAttempt, AcquireResult> call) {
        return Md5.hex(call.request().key().value());
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<PendingCall<AcquireAttempt, AcquireResult>> group) {
        if (PendingCall.isWaiting(group)) {
            return patientlyAcquire;
        }
        if (PendingCall.isRepeatedIn(group)) {
            return deadAgainAcquire;
        }
        return mayHoldIt(group) ? againAcquire : acquire;
    }

    private static boolean mayHoldIt(List<PendingCall<AcquireAttempt, AcquireResult>> group) {
        return group.stream().anyMatch(AttemptsForKey::mayHoldIt);
    }

    @Override
    public int messageOrder() {
        return 2;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<AcquireAttempt, AcquireResult>> group) {
        List<AcquireAttempt> firsts = new ArrayList<>();
        List<AcquireAttempt> again = new ArrayList<>();
        for (AttemptsForKey rivals : AttemptsForKey.of(group)) {
            firsts.add(rivals.first());
            rivals.addThoseWhoMayHoldIt(again);
        }
        Map<String, @Nullable Object> values = new HashMap<>();
        put(values, "", firsts);
        put(values, "again_", again);
        values.put("wait_ms", PendingCall.waitMillis(group));
        values.put("busy_hashes", new long[0]);
        values.put(
                "busy_keys",
                PendingCall.repeatedIn(group, attempt -> attempt.key().value()));
        values.put("now", clock.now());
        return values;
    }

    private static void put(Map<String, @Nullable Object> values, String prefix, List<AcquireAttempt> attempts) {
        int n = attempts.size();
        String[] keys = new String[n];
        String[] lockIds = new String[n];
        long[] ttls = new long[n];
        @Nullable String[] owners = new String[n];
        @Nullable String[] instances = new String[n];
        for (int i = 0; i < n; i++) {
            AcquireAttempt attempt = attempts.get(i);
            Holder holder = attempt.holder();
            keys[i] = attempt.key().value();
            lockIds[i] = attempt.lockId().value();
            ttls[i] = attempt.ttl().toMillis();
            owners[i] = holder == null ? null : holder.owner();
            instances[i] = holder == null ? null : holder.instanceId();
        }
        values.put(prefix + "keys", keys);
        values.put(prefix + "lock_ids", lockIds);
        values.put(prefix + "ttls_ms", ttls);
        values.put(prefix + "owners", owners);
        values.put(prefix + "instance_ids", instances);
    }

    @Override
    public void answer(
            ResultSet rows,
            List<PendingCall<AcquireAttempt, AcquireResult>> group,
            List<PendingCall<AcquireAttempt, AcquireResult>> busy)
            throws SQLException {
        answer(AcquireOutcome.read(rows), Map.of(), group, busy);
    }

    @Override
    public void answerFromAll(
            List<ResultSet> sets,
            List<PendingCall<AcquireAttempt, AcquireResult>> group,
            List<PendingCall<AcquireAttempt, AcquireResult>> busy)
            throws SQLException {
        int last = sets.size() - 1;
        if (mayHoldIt(group)) {
            Map<String, AcquireOutcome> again = AcquireOutcome.read(sets.get(last - 1));
            answer(AcquireOutcome.read(sets.get(last)), again, group, busy);
        } else {
            answer(sets.get(last), group, busy);
        }
    }

    private static void answer(
            Map<String, AcquireOutcome> acquired,
            Map<String, AcquireOutcome> again,
            List<PendingCall<AcquireAttempt, AcquireResult>> group,
            List<PendingCall<AcquireAttempt, AcquireResult>> busy) {
        AttemptsForKey.of(group).forEach(rivals -> rivals.answer(acquired, again, busy));
    }

    /** Gives back what was granted to a caller that had gone, unless it is an earlier grant of the same holder. */
    @Override
    public void onAbandoned(AcquireAttempt attempt, AcquireResult result) {
        if (result instanceof Granted granted && attempt.isNewGrant(granted.lockId())) {
            unclaimedGrants.onAbandoned(attempt);
        }
    }

    /**
     * It may have been granted: a lock id that is ours can be given back without hurting anybody. One that the user drew cannot:
     * if it was not granted, what we would hit is the user's next try, which looks the same.
     */
    @Override
    public void onOutcomeUnknown(AcquireAttempt attempt) {
        if (!attempt.callerChoseId()) {
            unclaimedGrants.onOutcomeUnknown(attempt);
        }
    }
}
