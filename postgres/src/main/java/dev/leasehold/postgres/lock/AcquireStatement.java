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
 * <p>Of the attempts for one key only the first is sent. The others lose: the lock is held either by the first or by whoever the first
 * lost to. Attempts that may hold the lock already, by their lock id or as its holder, are sent before all others, each on its own, to get
 * the same grant again. Two attempts for the same grant are sent one after the other.
 */
final class AcquireStatement implements BatchedStatement<AcquireAttempt, AcquireResult> {
    private static final int MAX_GROUP = 256;

    private final Sql acquire;
    private final Sql reacquireAndAcquire;
    private final Sql deleteExpiredAndAcquire;
    private final Sql waitingAcquire;
    private final StoreClock clock;
    private final UnclaimedGrants unclaimedGrants;

    /**
     * @param again precedes it for groups with an attempt that may hold the lock already
     * @param dead precedes that for groups with a call that was busy before: deletes expired rows
     * @param waitForAdvisoryLock precedes that for a call that waits for its advisory lock
     * @param unclaimedGrants what to do about grants that no caller got
     */
    AcquireStatement(
            Sql acquire,
            Sql again,
            Sql dead,
            Sql waitForAdvisoryLock,
            StoreClock clock,
            UnclaimedGrants unclaimedGrants) {
        this.acquire = acquire;
        this.reacquireAndAcquire = again.then(acquire);
        this.deleteExpiredAndAcquire = dead.then(reacquireAndAcquire);
        this.waitingAcquire = waitForAdvisoryLock.then(deleteExpiredAndAcquire);
        this.clock = clock;
        this.unclaimedGrants = unclaimedGrants;
    }

    /** What becomes of a grant that no caller got. */
    interface UnclaimedGrants {
        /** The grant came when its caller had gone. */
        void onAbandoned(AcquireAttempt attempt);

        /** The attempt may have been granted, or may still be. */
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
            return waitingAcquire;
        }
        if (PendingCall.isRepeatedIn(group)) {
            return deleteExpiredAndAcquire;
        }
        return mayHoldIt(group) ? reacquireAndAcquire : acquire;
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

    /** Releases what was granted to a caller that had gone, unless it is an earlier grant of the same holder. */
    @Override
    public void onAbandoned(AcquireAttempt attempt, AcquireResult result) {
        if (result instanceof Granted granted && attempt.isNewGrant(granted.lockId())) {
            unclaimedGrants.onAbandoned(attempt);
        }
    }

    /**
     * A grant with a lock id that Leasehold generated can be released without harm. With a lock id that the caller chose, the release could
     * hit the caller's next attempt, which looks the same.
     */
    @Override
    public void onOutcomeUnknown(AcquireAttempt attempt) {
        if (!attempt.callerChoseId()) {
            unclaimedGrants.onOutcomeUnknown(attempt);
        }
    }
}
