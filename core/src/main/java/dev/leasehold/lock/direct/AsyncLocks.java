package dev.leasehold.lock.direct;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.Locks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Locks without blocking, from {@link Locks#async()}.
 *
 * <p>No method throws; futures fail only with a {@link LockException}. Cancelling a future ends its call. Futures of {@link #tryAcquire}
 * complete in threads that a callback may keep; all others complete in engine threads, so callbacks on them must be quick and must not
 * block.
 */
public interface AsyncLocks {
    /**
     * {@link Locks#tryAcquire(AcquireRequest)} without a thread. Cancelling the future ends the waiting; a grant that races with the
     * cancel is released.
     */
    CompletableFuture<Optional<HeldLock>> tryAcquire(AcquireRequest request);

    /** {@link #tryAcquire} without a handle: nothing renews the grant. For callers that pass it on, such as a server. */
    CompletableFuture<Optional<LockGrant>> grant(AcquireRequest request);

    /** {@link LocksById#release(String)} without a thread. */
    CompletableFuture<Boolean> release(String lockId);

    /** {@link LocksById#extend(String, Duration)} without a thread. */
    CompletableFuture<Optional<Instant>> extend(String lockId, Duration ttl);

    /** {@link #release} with the reason if the lock was not held. */
    CompletableFuture<LockOutcome> releaseOutcome(String lockId);

    /** {@link #extend} with the reason if the lock was not held. */
    CompletableFuture<LockOutcome> extendOutcome(String lockId, Duration ttl);

    /** {@link Locks#isLocked} without a thread. */
    CompletableFuture<Boolean> isLocked(String key);

    /** {@link Locks#getByKey} without a thread. */
    CompletableFuture<Optional<LockInfo>> getByKey(String key);

    /** {@link LocksById#get(String)} without a thread. */
    CompletableFuture<Optional<LockInfo>> getById(String lockId);

    /** The same locks for callers that know their holder and not their lock id. */
    HolderLocks byHolder();
}
