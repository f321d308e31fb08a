package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Kind;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of attempts to acquire.
 *
 * <p>Attempts for the same key travel as one: the first that came decides, and the others have lost, because either it has the
 * lock now or whoever it lost to. Only who has the lock itself, by its lock id or as its holder, is asked again, before others, to be
 * given the same grant.
 */
final class AcquireKind implements Kind<AcquireAttempt, AcquireResult> {
    private static final Logger log = LoggerFactory.getLogger(AcquireKind.class);
    private static final int MAX_GROUP = 256;
    private static final Duration GUARDED = Duration.ofMillis(50);

    private final Sql sql;
    private final Sql patiently;
    private final StoreClock clock;
    private final Consumer<AcquireAttempt> giveBack;

    /** @param patiently for groups with a call that was busy before */
    AcquireKind(Sql sql, Sql patiently, StoreClock clock, Consumer<AcquireAttempt> giveBack) {
        this.sql = sql;
        this.patiently = patiently;
        this.clock = clock;
        this.giveBack = giveBack;
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
    public Sql sql(List<Call<AcquireAttempt, AcquireResult>> group) {
        return group.stream().anyMatch(Call::isRepeated) ? patiently : sql;
    }

    @Override
    public int place() {
        return 2;
    }

    @Override
    public Map<String, @Nullable Object> values(List<Call<AcquireAttempt, AcquireResult>> group) {
        List<AcquireAttempt> attempts = byKey(group).values().stream()
                .map(calls -> calls.get(0).request())
                .toList();
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
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("keys", keys);
        values.put("lock_ids", lockIds);
        values.put("ttls_ms", ttls);
        values.put("owners", owners);
        values.put("instance_ids", instances);
        values.put("now", clock.now());
        return values;
    }

    @Override
    public void answer(
            ResultSet row,
            List<Call<AcquireAttempt, AcquireResult>> group,
            List<Call<AcquireAttempt, AcquireResult>> busy)
            throws SQLException {
        Map<String, Outcome> outcomes = new HashMap<>();
        while (row.next()) {
            outcomes.merge(Rows.text(row, "wanted_id"), Outcome.of(row), Outcome::better);
        }
        for (List<Call<AcquireAttempt, AcquireResult>> calls : byKey(group).values()) {
            String wanted = calls.get(0).request().lockId().value();
            answer(calls, outcomes.getOrDefault(wanted, Outcome.RACED), busy);
        }
    }

    private static Map<LockKey, List<Call<AcquireAttempt, AcquireResult>>> byKey(
            List<Call<AcquireAttempt, AcquireResult>> group) {
        Map<LockKey, List<Call<AcquireAttempt, AcquireResult>>> byKey = new LinkedHashMap<>();
        for (Call<AcquireAttempt, AcquireResult> call : group) {
            List<Call<AcquireAttempt, AcquireResult>> calls =
                    byKey.computeIfAbsent(call.request().key(), key -> new ArrayList<>(1));
            boolean isBeforeOthers =
                    !calls.isEmpty() && call.isRepeated() && !calls.get(0).isRepeated();
            calls.add(isBeforeOthers ? 0 : calls.size(), call);
        }
        return byKey;
    }

    private static void answer(
            List<Call<AcquireAttempt, AcquireResult>> calls,
            Outcome outcome,
            List<Call<AcquireAttempt, AcquireResult>> busy) {
        if (outcome.busy) {
            busy.addAll(calls);
            return;
        }
        Call<AcquireAttempt, AcquireResult> first = calls.get(0);
        for (Call<AcquireAttempt, AcquireResult> call : calls.subList(1, calls.size())) {
            if (isSame(first.request(), call.request()) || outcome.mayBelongTo(call.request())) {
                busy.add(call);
            } else if (outcome.granted != null) {
                call.succeed(new Locked(first.request().ttl()));
            } else {
                outcome.answer(call);
            }
        }
        outcome.answer(first);
    }

    /** Whether both ask for the same grant. */
    private static boolean isSame(AcquireAttempt one, AcquireAttempt other) {
        return one.lockId().equals(other.lockId())
                || (one.holder() != null && one.holder().equals(other.holder()));
    }

    /** Gives back what was granted to a caller that had gone, unless it is an earlier grant of the same holder. */
    @Override
    public void unwanted(AcquireAttempt attempt, AcquireResult result) {
        if (result instanceof Granted granted && attempt.isToGiveBack(granted.lockId())) {
            giveBack.accept(attempt);
        }
    }

    /**
     * It may have been granted: a lock id that is ours can be given back without hurting anybody. One that the user drew cannot:
     * if it was not granted, what we would hit is the user's next try, which looks the same.
     */
    @Override
    public void unknown(AcquireAttempt attempt) {
        if (!attempt.isUsersId()) {
            giveBack.accept(attempt);
        }
    }

    /**
     * What the statement said of one key: granted, in the way for a while, or out of fences.
     *
     * @param heldId the lock id of the grant that is there now, if that is known
     * @param heldBy a hash of its holder, if it has one
     */
    private record Outcome(
            @Nullable Granted granted,
            @Nullable Locked locked,
            boolean busy,
            @Nullable String heldId,
            @Nullable String heldBy) {
        /** Free when we looked and gone when we wrote: a client without the advisory lock was faster. */
        static final Outcome RACED = new Outcome(null, new Locked(GUARDED), false, null, null);

        /** Another client is just acquiring it. */
        static final Outcome BUSY = new Outcome(null, null, true, null, null);

        private static final Outcome OVERFLOW = new Outcome(null, null, false, null, null);

        static Outcome of(ResultSet row) throws SQLException {
            return switch (Rows.text(row, "outcome")) {
                case "g" -> granted(row);
                case "b" -> BUSY;
                case "l" -> locked(row);
                default -> OVERFLOW;
            };
        }

        private static Outcome granted(ResultSet row) throws SQLException {
            Granted granted = new Granted(
                    LockId.of(row.getString("lock_id")),
                    Fence.of(row.getLong("fence")),
                    Rows.instant(row, "acquired_at_ms"),
                    Rows.instant(row, "expires_at_ms"));
            return new Outcome(granted, null, false, granted.lockId().value(), null);
        }

        private static Outcome locked(ResultSet row) throws SQLException {
            Duration freeIn = Duration.ofMillis(row.getLong("free_in_ms"));
            return new Outcome(
                    null,
                    new Locked(freeIn.compareTo(GUARDED) < 0 ? GUARDED : freeIn),
                    false,
                    row.getString("lock_id"),
                    row.getString("held_by"));
        }

        /** Whether an attempt of which the statement knew nothing asks for what it found. */
        boolean mayBelongTo(AcquireAttempt attempt) {
            Holder holder = attempt.holder();
            return attempt.lockId().value().equals(heldId)
                    || (holder != null && heldBy != null && heldBy.equals(hash(holder)));
        }

        /** The same as in the statement. */
        private static String hash(Holder holder) {
            int ownerBytes = holder.owner().getBytes(StandardCharsets.UTF_8).length;
            return Md5.hex(ownerBytes + ":" + holder.owner() + holder.instanceId());
        }

        /** A key that was dead comes out twice: as in the way, and as what became of it. */
        Outcome better(Outcome other) {
            return locked == null ? this : other;
        }

        void answer(Call<AcquireAttempt, AcquireResult> call) {
            if (granted != null) {
                warnIfHigh(call.request().key(), granted.fence());
                call.succeed(granted);
            } else if (locked != null) {
                call.succeed(locked);
            } else {
                call.fail(new LockException(
                        LockErrorCode.INTERNAL,
                        "Fence counter overflow - exceeded operational limit (" + Fence.MAX + ")",
                        call.request().key().value(),
                        null));
            }
        }

        private static void warnIfHigh(LockKey key, Fence fence) {
            if (fence.value() > Fence.WARN) {
                log.warn("event=fence_near_limit keyHash={} fence={} max={}", key.hash(), fence, Fence.MAX);
            }
        }
    }
}
