package dev.leasehold.lock.direct;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.Locks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Locks by lock id, from {@link Locks#byLockId()}: for a process that was given the lock id of a grant.
 *
 * <p>A lock id is a secret: everyone who has it can release the lock. A signal that is given before a call is sent keeps it from being
 * sent; the call then fails as {@link LockErrorCode#ABORTED}.
 */
public interface LocksById {
    /** Releases the grant with this lock id. False if it is not held. */
    default boolean release(String lockId) {
        return release(lockId, CancelSignal.none());
    }

    /** {@link #release(String)}, unless {@code signal} is given before. */
    boolean release(String lockId, CancelSignal signal);

    /** Sets the expiry of the grant with this lock id to now plus {@code ttl}, and returns it; empty if the lock is not held. */
    default Optional<Instant> extend(String lockId, Duration ttl) {
        return extend(lockId, ttl, CancelSignal.none());
    }

    /** {@link #extend(String, Duration)}, unless {@code signal} is given before. */
    Optional<Instant> extend(String lockId, Duration ttl, CancelSignal signal);

    /** The live lock with this lock id. */
    default Optional<LockInfo> get(String lockId) {
        return get(lockId, CancelSignal.none());
    }

    /** {@link #get(String)}, unless {@code signal} is given before. */
    Optional<LockInfo> get(String lockId, CancelSignal signal);

    /** Whether this lock id holds its lock now. For diagnosis only: release, extend and guard check it themselves. */
    default boolean owns(String lockId) {
        return get(lockId).isPresent();
    }
}
