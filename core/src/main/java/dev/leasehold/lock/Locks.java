package dev.leasehold.lock;

import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.LocksById;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Fenced locks: {@code try (var lock = locks.acquire("ledger:7")) { ... }}.
 *
 * <p><b>Waiting.</b> Waiters of one JVM stand in line, first come first served, and are woken when the lock becomes free.
 * Between JVMs there is no order. <b>Failures.</b> Contention is a value; everything else is a {@link LockException}, and a
 * store that is down is never reported as locked or free. <b>Threads.</b> Safe for use by many. An interrupt ends a wait as
 * {@link LockErrorCode#ABORTED} and stays set, and so does the {@link CancelSignal} of a request.
 *
 * <p>Calls that do not block are behind {@link #async}, calls by lock id behind {@link #byLockId}, and what operators need behind
 * {@link #admin}.
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

    /** Runs {@code work} under the lock and releases it whatever happens, waiting for it as {@link #acquire} does. */
    default <T, E extends Exception> T withLock(String key, LockedWork<T, E> work) throws E {
        return withLock(AcquireRequest.of(key), work);
    }

    /** Runs {@code work} under the lock and releases it whatever happens. */
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

    /** Whether somebody holds {@code key}. Never a basis for a decision: use {@link #tryAcquire}. */
    boolean isLocked(String key);

    /** The live lock of {@code key}. For diagnosis only: the lock may change hands meanwhile. */
    Optional<LockInfo> getByKey(String key);

    /** These locks without blocking. */
    AsyncLocks async();

    /** These locks for callers that know the lock id of a grant. */
    LocksById byLockId();

    /** These locks for operators. */
    LockAdmin admin();

    /** Ends waiting and renewal. Locks that are held stay held until their expiry: close them first. */
    @Override
    void close();

    /**
     * Work under a lock.
     *
     * @param <T> the type of the result
     * @param <E> what it may throw
     */
    @FunctionalInterface
    interface LockedWork<T, E extends Exception> {
        /** Runs while {@code lock} is held. */
        T run(HeldLock lock) throws E;
    }

    /**
     * Work in a transaction under a lock.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    interface TransactionAction<E extends Exception> {
        /** Runs in the open transaction of {@code connection}. */
        void run(Connection connection) throws E, SQLException;
    }

    /**
     * Work in a transaction under a lock, with a result.
     *
     * @param <T> the type of the result
     * @param <E> what it may throw
     */
    @FunctionalInterface
    interface TransactionWork<T, E extends Exception> {
        /** Runs in the open transaction of {@code connection}. */
        T run(Connection connection) throws E, SQLException;
    }
}
