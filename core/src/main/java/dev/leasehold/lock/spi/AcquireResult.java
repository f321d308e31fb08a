package dev.leasehold.lock.spi;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import java.time.Duration;
import java.time.Instant;

/** The result of an attempt: granted, or locked by somebody else. */
public sealed interface AcquireResult {
    /** Whether the key was granted. */
    default boolean ok() {
        return this instanceof Granted;
    }

    /** The lock is the caller's. A repeated attempt by the same holder carries the lock id and fence of the first. */
    record Granted(LockId lockId, Fence fence, Instant acquiredAt, Instant expiresAt) implements AcquireResult {}

    /** Somebody else has it, and unless it is extended or released first it ends in {@code freeIn}. */
    record Locked(Duration freeIn) implements AcquireResult {}
}
