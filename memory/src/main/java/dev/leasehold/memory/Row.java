package dev.leasehold.memory;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.Liveness;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One grant, live or dead. */
record Row(
        LockKey key,
        LockId lockId,
        Fence fence,
        long acquiredAtMs,
        long expiresAtMs,
        @Nullable Holder holder) {
    static Row of(AcquireAttempt attempt, Fence fence, long nowMs) {
        long expiresAtMs = nowMs + attempt.ttl().toMillis();
        return new Row(attempt.key(), attempt.lockId(), fence, nowMs, expiresAtMs, attempt.holder());
    }

    Row expiringAt(long ms) {
        return new Row(key, lockId, fence, acquiredAtMs, ms, holder);
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

    LockInfo info() {
        return LockInfo.of(key, lockId, acquiredAt(), expiresAt(), fence, holder);
    }
}
