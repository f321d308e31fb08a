package dev.leasehold.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Fenced locks: {@code try (var lock = locks.acquire("ledger:7")) { ... }}.
 *
 * <p><b>Waiting.</b> Waiters of one JVM stand in line, first come first served, and are woken when the lock becomes free.
 * Between JVMs there is no order. <b>Failures.</b> Contention is a value; everything else is a {@link LockException}, and a
 * store that is down is never reported as locked or free. <b>Threads.</b> Safe for use by many. An interrupt ends a wait as
 * {@link LockErrorCode#ABORTED} and stays set. <b>Stopping.</b> Every verb that blocks takes a {@link CancelSignal}, acquire in its
 * request; those that do not block end with {@link CompletableFuture#cancel}. The {@code …Async} verbs throw nothing, their futures fail with a
 * {@link LockException}; all but {@link #tryAcquireAsync} complete them in threads of the engine: what hangs on them must be quick.
 *
 * @param <L> what is handed out; engines add to {@link HeldLock} what only they can do
 */
public interface Locks<L extends HeldLock> extends AutoCloseable {
    /** Acquires {@code key} with all defaults, waiting as long as {@link LockOptions#waitFor()}. */
    default L acquire(String key) {
        return acquire(AcquireRequest.of(key));
    }

    /** Acquires, waiting; when the wait is over without success, throws {@link LockErrorCode#ACQUISITION_TIMEOUT}. */
    L acquire(AcquireRequest request);

    /** Acquires {@code key} if it is free now. */
    default Optional<L> tryAcquire(String key) {
        return tryAcquire(AcquireRequest.of(key));
    }

    /** Acquires, waiting only if the request says so; empty if others held it all the while. */
    Optional<L> tryAcquire(AcquireRequest request);

    /** {@link #tryAcquire} without a thread. Cancelling the future leaves the line; a grant that crosses is given back. */
    CompletableFuture<Optional<L>> tryAcquireAsync(AcquireRequest request);

    /** Runs {@code work} under the lock and gives it back whatever happens, waiting for it as {@link #acquire} does. */
    default <T, E extends Exception> T withLock(String key, LockedWork<? super L, T, E> work) throws E {
        return withLock(AcquireRequest.of(key), work);
    }

    /** Runs {@code work} under the lock and gives it back whatever happens. */
    default <T, E extends Exception> T withLock(AcquireRequest request, LockedWork<? super L, T, E> work) throws E {
        try (L lock = acquire(request)) {
            return work.run(lock);
        }
    }

    /** Runs {@code work} under the lock, waiting as SyncGuard does; {@code signal} ends only the waiting. */
    <T, E extends Exception> T withLock(
            AcquireRequest request, RetryPolicy retry, CancelSignal acquisitionSignal, LockedWork<? super L, T, E> work)
            throws E;

    /** Gives back the grant with this lock id, from any process. False if it is not held. */
    default boolean release(String lockId) {
        return release(lockId, CancelSignal.none());
    }

    /** {@link #release(String)}; a signal that was given before the call is sent keeps it from being sent. */
    boolean release(String lockId, CancelSignal signal);

    /** Sets the expiry of the grant with this lock id to now plus {@code ttl}; empty if it is not held. */
    default Optional<Instant> extend(String lockId, Duration ttl) {
        return extend(lockId, ttl, CancelSignal.none());
    }

    /** {@link #extend(String, Duration)}, unless {@code signal} is given before. */
    Optional<Instant> extend(String lockId, Duration ttl, CancelSignal signal);

    /** Whether somebody holds {@code key}. Never a basis for a decision: use {@link #tryAcquire}. */
    default boolean isLocked(String key) {
        return isLocked(key, CancelSignal.none());
    }

    /** {@link #isLocked(String)}, unless {@code signal} is given before. */
    boolean isLocked(String key, CancelSignal signal);

    /** The live lock of {@code key}. */
    default Optional<LockInfo> getByKey(String key) {
        return getByKey(key, CancelSignal.none());
    }

    /** {@link #getByKey(String)}, unless {@code signal} is given before. */
    Optional<LockInfo> getByKey(String key, CancelSignal signal);

    /** The live lock with this lock id. */
    default Optional<LockInfo> getById(String lockId) {
        return getById(lockId, CancelSignal.none());
    }

    /** {@link #getById(String)}, unless {@code signal} is given before. */
    Optional<LockInfo> getById(String lockId, CancelSignal signal);

    /** {@link #getByKey} with raw key and lock id, for debugging. */
    default Optional<RawLockInfo> getByKeyRaw(String key) {
        return getByKeyRaw(key, CancelSignal.none());
    }

    /** {@link #getByKeyRaw(String)}, unless {@code signal} is given before. */
    default Optional<RawLockInfo> getByKeyRaw(String key, CancelSignal signal) {
        return getByKey(key, signal).map(info -> info.raw(LockKey.of(key).value(), null));
    }

    /** {@link #getById} with raw key and lock id, for debugging. */
    default Optional<RawLockInfo> getByIdRaw(String lockId) {
        return getByIdRaw(lockId, CancelSignal.none());
    }

    /** {@link #getByIdRaw(String)}, unless {@code signal} is given before. */
    default Optional<RawLockInfo> getByIdRaw(String lockId, CancelSignal signal) {
        return getById(lockId, signal).map(info -> info.raw(null, lockId));
    }

    /** Whether this lock id holds its lock now. For diagnosis; release, extend and guard check for themselves. */
    default boolean owns(String lockId) {
        return owns(lockId, CancelSignal.none());
    }

    /** {@link #owns(String)}, unless {@code signal} is given before. */
    default boolean owns(String lockId, CancelSignal signal) {
        return getById(lockId, signal).isPresent();
    }

    /**
     * {@link #tryAcquireAsync} without a handle: nothing renews the grant. For those who pass it on, such as a server. Completes in
     * engine threads: what hangs on it must be quick.
     */
    CompletableFuture<Optional<LockGrant>> grantAsync(AcquireRequest request);

    /** {@link #release} without a thread. */
    CompletableFuture<Boolean> releaseAsync(String lockId);

    /** {@link #extend} without a thread. */
    CompletableFuture<Optional<Instant>> extendAsync(String lockId, Duration ttl);

    /** {@link #releaseAsync} with the reason if it was not held. */
    CompletableFuture<LockOutcome> releaseOutcomeAsync(String lockId);

    /** {@link #extendAsync} with the reason if it was not held. */
    CompletableFuture<LockOutcome> extendOutcomeAsync(String lockId, Duration ttl);

    /** {@link #isLocked} without a thread. */
    CompletableFuture<Boolean> isLockedAsync(String key);

    /** {@link #getByKey} without a thread. */
    CompletableFuture<Optional<LockInfo>> getByKeyAsync(String key);

    /** {@link #getById} without a thread. */
    CompletableFuture<Optional<LockInfo>> getByIdAsync(String lockId);

    /** These locks for those who know their holder and not their lock id. */
    HolderLocks byHolder();

    /** These locks for operators. */
    LockAdmin admin();

    Capabilities capabilities();

    /** Ends waiting and renewal. Locks that are held stay held until their expiry: close them first. */
    @Override
    void close();

    /** Work under a lock. */
    @FunctionalInterface
    interface LockedWork<L extends HeldLock, T, E extends Exception> {
        T run(L lock) throws E;
    }
}
