package dev.leasehold.memory;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.Liveness;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One grant, live or dead.
 *
 * @param leaseMs all that its holder was given, with what was added
 */
record Row(
        LockKey key,
        LockId lockId,
        Fence fence,
        long acquiredAtMs,
        long expiresAtMs,
        @Nullable Holder holder,
        long leaseMs) {
    static Row of(AcquireAttempt attempt, Fence fence, long nowMs) {
        long ttlMs = attempt.ttl().toMillis();
        return new Row(attempt.key(), attempt.lockId(), fence, nowMs, nowMs + ttlMs, attempt.holder(), ttlMs);
    }

    Row expiringAt(long ms) {
        return leased(ms, leaseMs);
    }

    /** The same grant once more, for its new ttl from now; its expiry is another one in any case, so that it can be told apart. */
    Row again(AcquireAttempt attempt, long nowMs) {
        long ttlMs = attempt.ttl().toMillis();
        long untilMs = nowMs + ttlMs;
        return leased(untilMs == expiresAtMs ? untilMs + 1 : untilMs, ttlMs);
    }

    /** Whether it is as the attempt left it: nobody has acquired it again. */
    boolean isUntouchedSince(AcquireAttempt attempt) {
        return expiresAtMs == acquiredAtMs + attempt.ttl().toMillis();
    }

    /** The same grant with as much of {@code moreMs} added to its lease as the longest lease allows. */
    Row longerBy(long moreMs, long nowMs) {
        long until = Math.max(expiresAtMs, Math.min(expiresAtMs + moreMs, nowMs + HolderLocks.MAX_LEASE.toMillis()));
        return leased(until, leaseMs + until - expiresAtMs);
    }

    private Row leased(long untilMs, long newLeaseMs) {
        return new Row(key, lockId, fence, acquiredAtMs, untilMs, holder, newLeaseMs);
    }

    boolean isLive(long nowMs) {
        return Liveness.isLive(expiresAtMs, nowMs);
    }

    boolean isSweepable(long nowMs) {
        return !isLive(nowMs) && expiresAtMs + Liveness.SWEEP_AFTER_MS < nowMs;
    }

    /** Whether the attempt asks for what it has: by its lock id after an unknown outcome, or as the same holder. */
    boolean isSameGrantFor(AcquireAttempt attempt) {
        return lockId.equals(attempt.lockId()) || (holder != null && holder.equals(attempt.holder()));
    }

    /** How long this grant stays live unless somebody ends or extends it. */
    Duration freeIn(long nowMs) {
        return Duration.ofMillis(Math.max(1, expiresAtMs + Liveness.TOLERANCE_MS - nowMs));
    }

    Instant acquiredAt() {
        return Instant.ofEpochMilli(acquiredAtMs);
    }

    Instant expiresAt() {
        return Instant.ofEpochMilli(expiresAtMs);
    }

    HeldBy heldBy() {
        return new HeldBy(lockId, fence, Duration.ofMillis(leaseMs), acquiredAt(), expiresAt());
    }

    ListedLock listed() {
        return new ListedLock(key, holder, acquiredAt(), expiresAt(), fence);
    }

    LockInfo info() {
        return LockInfo.of(key, lockId, acquiredAt(), expiresAt(), fence, holder);
    }
}
