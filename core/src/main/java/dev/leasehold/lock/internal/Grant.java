package dev.leasehold.lock.internal;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.time.Instant;

/**
 * A grant as the holder knows it.
 *
 * @param renew whether the handle renews it
 * @param sentNanos {@link System#nanoTime()} just before the attempt was sent
 * @param isShared whether the same holder may acquire the same grant again, so that there may be another handle
 * @param turns how many waiters of this JVM may be handed the lock, one after the other, before other JVMs get their chance
 */
public record Grant(
        LockKey key, Granted granted, Duration ttl, boolean renew, boolean isShared, long sentNanos, int turns) {
    /** The lock id of the grant. */
    public LockId lockId() {
        return granted.lockId();
    }

    /** The number of the grant. */
    public Fence fence() {
        return granted.fence();
    }

    /** When the grant began, by the store's clock. */
    public Instant acquiredAt() {
        return granted.acquiredAt();
    }

    /** When the grant ends, by the store's clock. */
    public Instant expiresAt() {
        return granted.expiresAt();
    }
}
