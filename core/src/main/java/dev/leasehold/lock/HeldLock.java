package dev.leasehold.lock;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * A lock that is held: closing it gives it back. It renews itself every third of its ttl until then, unless asked not to.
 *
 * <p><b>Losing it.</b> A holder that cannot renew learns of it before anybody else can take the lock. Measured on the
 * monotonic clock from when the last successful renewal was sent: after two thirds of the ttl a warning is logged; shortly
 * before the ttl is over {@link #isHeld()} turns false and {@link #checkpoint()} throws; when it is over the lock is lost for
 * good and {@link #onLost} is called. The same happens at once when the store says that the lock is gone, and {@code isHeld}
 * is also false after a pause of the whole JVM until a renewal has succeeded.
 *
 * <p>None of this helps a thread that pauses between its check and its write. For data in the same PostgreSQL guard the
 * transaction; for anything else send {@link #fence()} along and let the receiver refuse smaller ones.
 *
 * <p>Safe for use by several threads.
 */
public interface HeldLock extends AutoCloseable {
    /** The key of the lock. */
    LockKey key();

    /** The secret with which any process can release and extend this lock. Do not log it. */
    LockId lockId();

    /** The number of this grant: larger than every earlier one of the same key. */
    Fence fence();

    /** When this grant began, by the store's clock. */
    Instant acquiredAt();

    /** When it ends unless it is extended, by the store's clock. */
    Instant expiresAt();

    /** Whether the work may go on: not released, not lost, not in doubt. Costs no I/O. */
    boolean isHeld();

    /** Throws {@link LockLostException} unless {@link #isHeld()}: call it between the steps of long work. */
    void checkpoint();

    /** Runs {@code action} once, in a thread of its own, when the lock is lost; at once if it was. Not when it is released. */
    void onLost(Runnable action);

    /**
     * Gives the lock back and returns true; false if it was no longer held. Only the first call has an effect.
     *
     * @throws LockException if the store failed; the lock then ends at its expiry
     */
    default boolean release() {
        return release(CancelSignal.none());
    }

    /**
     * {@link #release()}; {@code signal} ends only the waiting for the answer, as {@link LockErrorCode#ABORTED}. The lock is given
     * back all the same.
     */
    boolean release(CancelSignal signal);

    /**
     * Sets the expiry to now plus {@code ttl}, from now on also for renewals, and returns true; false if the lock is gone.
     *
     * @throws LockException if the store failed
     */
    default boolean extend(Duration ttl) {
        return extend(ttl, CancelSignal.none());
    }

    /** {@link #extend(Duration)}, unless {@code signal} is given before. */
    boolean extend(Duration ttl, CancelSignal signal);

    /**
     * Makes the transaction of {@code connection} commit only if this lock is still held, and keeps everybody else from taking it until
     * that transaction ends, even if its ttl ends before. For data in the same database this is true mutual exclusion.
     *
     * @throws LockLostException if the lock is no longer held; the transaction was rolled back, and nothing more commits in its place
     * @throws LockException if this engine has no transactions: only PostgreSQL has
     */
    default void guard(Connection connection) {
        throw noTransactions();
    }

    /**
     * Commits the transaction of {@code connection} if this lock is still held, and has been since it was acquired: {@link #guard} and
     * commit in one round trip. Others are not kept from taking a lock whose ttl ends before that; then the work was in vain.
     *
     * @throws LockLostException if the lock is no longer held; the transaction was rolled back, and nothing more commits in its place
     * @throws LockException if this engine has no transactions: only PostgreSQL has
     * @throws SQLException if the commit failed, as from {@link Connection#commit()}
     */
    default void commitGuarded(Connection connection) throws SQLException {
        throw noTransactions();
    }

    /**
     * Releases the lock when the transaction of {@code connection} commits, not before; true if it was held. From here on this handle
     * neither renews nor releases. If the transaction rolls back, {@link #close()} releases the lock.
     *
     * @throws LockException if the statement failed, or this engine has no transactions: only PostgreSQL has
     */
    default boolean releaseIn(Connection connection) {
        throw noTransactions();
    }

    private LockException noTransactions() {
        return LockException.invalidArgument("lock '" + key().value()
                + "' is not in a database that this process is connected to: transactions need the PostgreSQL engine");
    }

    /** Gives the lock back. Never throws: a failure goes to {@link LockOptions#onReleaseError}. */
    @Override
    void close();
}
