package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a statement said of one attempt: granted, in the way for a while, to be asked again, its lock id in use for another key, or else
 * out of fences.
 *
 * @param lockedBy the lock id that is in the way, if that is known
 * @param isDead whether what is in the way is dead
 */
record AcquireOutcome(
        @Nullable Granted granted,
        @Nullable Locked locked,
        @Nullable String lockedBy,
        boolean isDead,
        boolean isBusy,
        boolean isIdInUse) {
    private static final Logger log = LoggerFactory.getLogger(AcquireOutcome.class);

    /** A dead lock that cannot be had is guarded: nobody knows for how long. */
    private static final Duration GUARDED = Duration.ofMillis(50);

    /** Another client is just acquiring it. */
    static final AcquireOutcome BUSY = new AcquireOutcome(null, null, null, false, true, false);

    private static final AcquireOutcome ID_IN_USE = new AcquireOutcome(null, null, null, false, false, true);
    private static final AcquireOutcome OVERFLOW = new AcquireOutcome(null, null, null, false, false, false);

    static AcquireOutcome lockedFor(Duration time) {
        return new AcquireOutcome(null, new Locked(time), null, false, false, false);
    }

    /** By the lock id that was asked for. */
    static Map<String, AcquireOutcome> read(ResultSet row) throws SQLException {
        Map<String, AcquireOutcome> outcomes = new HashMap<>();
        while (row.next()) {
            outcomes.put(Rows.text(row, "wanted_id"), of(row));
        }
        return outcomes;
    }

    private static AcquireOutcome of(ResultSet row) throws SQLException {
        return switch (Rows.text(row, "outcome")) {
            case "g" -> granted(row);
            case "b" -> BUSY;
            case "l" -> locked(row);
            case "u" -> ID_IN_USE;
            default -> OVERFLOW;
        };
    }

    private static AcquireOutcome granted(ResultSet row) throws SQLException {
        Granted granted = new Granted(
                LockId.of(Rows.text(row, "lock_id")),
                Fence.of(row.getLong("fence")),
                Rows.instant(row, "acquired_at_ms"),
                Rows.instant(row, "expires_at_ms"));
        return new AcquireOutcome(granted, null, null, false, false, false);
    }

    private static AcquireOutcome locked(ResultSet row) throws SQLException {
        Duration freeIn = Duration.ofMillis(row.getLong("free_in_ms"));
        Locked locked = new Locked(freeIn.compareTo(GUARDED) < 0 ? GUARDED : freeIn);
        boolean isDead = freeIn.isZero() || freeIn.isNegative();
        return new AcquireOutcome(null, locked, row.getString("lock_id"), isDead, false, false);
    }

    boolean isGranted() {
        return granted != null;
    }

    boolean isLocked() {
        return locked != null;
    }

    /** What this means to those who want the same key with other lock ids. */
    AcquireOutcome forRivals(Duration ttl) {
        if (isGranted()) {
            return lockedFor(ttl);
        }
        return isIdInUse ? BUSY : this;
    }

    /** Whose own grant is in the way is asked again, as somebody who has the lock; and so is who was not yet asked with the dead away. */
    void answer(
            PendingCall<AcquireAttempt, AcquireResult> call, List<PendingCall<AcquireAttempt, AcquireResult>> busy) {
        boolean isToBeBuried = isDead && !call.isRepeated();
        if (isBusy || isToBeBuried || call.request().lockId().value().equals(lockedBy)) {
            busy.add(call);
        } else if (granted != null) {
            warnIfHigh(call.request().key(), granted.fence());
            call.succeed(granted);
        } else if (locked != null) {
            call.succeed(locked);
        } else if (isIdInUse) {
            call.fail(LockException.lockIdInUse());
        } else {
            call.fail(LockException.fenceOverflow(call.request().key()));
        }
    }

    private static void warnIfHigh(LockKey key, Fence fence) {
        if (fence.value() > Fence.WARN) {
            log.warn("event=fence_near_limit keyHash={} fence={} max={}", key.hash(), fence, Fence.MAX);
        }
    }
}
