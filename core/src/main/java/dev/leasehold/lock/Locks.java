package dev.leasehold.lock;

import java.sql.Connection;
import java.sql.SQLException;
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
 */
public interface Locks extends AutoCloseable {
    /** Acquires {@code key} with all defaults, waiting as long as {@link LockOptions#waitFor()}. */
    default HeldLock acquire(String key) {
        return acquire(AcquireRequest.of(key));
    }

    /** Acquires, waiting; when the wait is over without success, throws {@link LockErrorCode#ACQUISITION_TIMEOUT}. */
    HeldLock acquire(AcquireRequest request);

    /** Acquires {@code key} if it is free now. */
    default Optional<HeldLock> tryAcquire(String key) {
        return tryAcquire(AcquireRequest.of(key));
    }

    /** Acquires, waiting only if the request says so; empty if others held it all the while. */
    Optional<HeldLock> tryAcquire(AcquireRequest request);

    /** {@link #tryAcquire} without a thread. Cancelling the future leaves the line; a grant that crosses is given back. */
    CompletableFuture<Optional<HeldLock>> tryAcquireAsync(AcquireRequest request);

    /** Runs {@code work} under the lock and gives it back whatever happens, waiting for it as {@link #acquire} does. */
    default <T, E extends Exception> T withLock(String key, LockedWork<T, E> work) throws E {
        return withLock(AcquireRequest.of(key), work);
    }

    /** Runs {@code work} under the lock and gives it back whatever happens. */
    default <T, E extends Exception> T withLock(AcquireRequest request, LockedWork<T, E> work) throws E {
        try (HeldLock lock = acquire(request)) {
            return work.run(lock);
        }
    }

    /**
     * Runs {@code work} in a transaction that commits only if the lock was held all the while: acquires the lock, begins, works, commits
     * guarded, and releases. An exception rolls back. What {@code work} writes with that connection happens under mutual exclusion,
     * however long it pauses.
     *
     * <p>Do not commit, roll back or close the connection. It is one of the engine's data source.
     *
     * @throws LockLostException if the lock was lost before the commit; nothing was committed
     * @throws LockException if the lock could not be acquired, or this engine has no transactions: only PostgreSQL has
     * @throws SQLException if there is no connection, or the commit failed
     */
    default <E extends Exception> void inTransaction(String key, TransactionAction<E> work) throws E, SQLException {
        inTransaction(AcquireRequest.of(key), work);
    }

    /** {@link #inTransaction(String, TransactionAction)} with more to the request. */
    default <E extends Exception> void inTransaction(AcquireRequest request, TransactionAction<E> work)
            throws E, SQLException {
        this.<Boolean, E>callInTransaction(request, connection -> {
            work.run(connection);
            return true;
        });
    }

    /** {@link #inTransaction(String, TransactionAction)} for work that has a result. */
    default <T, E extends Exception> T callInTransaction(AcquireRequest request, TransactionWork<T, E> work)
            throws E, SQLException {
        throw LockException.invalidArgument("lock '" + request.key().value()
                + "' is not in a database that this process is connected to: transactions need the PostgreSQL engine");
    }

    /** Runs {@code work} under the lock, waiting as SyncGuard does; {@code signal} ends only the waiting. */
    <T, E extends Exception> T withLock(
            AcquireRequest request, RetryPolicy retry, CancelSignal acquisitionSignal, LockedWork<T, E> work) throws E;

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
    interface LockedWork<T, E extends Exception> {
        T run(HeldLock lock) throws E;
    }

    /** Work in a transaction under a lock. */
    @FunctionalInterface
    interface TransactionAction<E extends Exception> {
        void run(Connection connection) throws E, SQLException;
    }

    /** Work in a transaction under a lock, with a result. */
    @FunctionalInterface
    interface TransactionWork<T, E extends Exception> {
        T run(Connection connection) throws E, SQLException;
    }
}
