package dev.leasehold;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;

/**
 * Locks and queues of one database: {@code Leasehold leasehold = PostgresLeasehold.connect(dataSource)}.
 *
 * <p>The same interface for every engine: {@code PostgresLeasehold} in your database, {@code MemoryLeasehold} in this process for unit
 * tests, {@code HttpLeasehold} through a server. One object per JVM and database is enough, and best: concurrent calls are batched in
 * it. It is safe for use by many threads.
 */
public interface Leasehold extends AutoCloseable {
    /** The locks. */
    Locks locks();

    /** The queues. */
    Queues queues();

    /**
     * Creates the tables, or brings them up to date. Safe to call at every start, on any number of nodes. Does nothing where there is
     * nothing to migrate: in memory, and over HTTP, where the server does it.
     */
    void migrate();

    /**
     * Stands for election until the returned {@link Leader} is closed: of all processes that do so for the same name, one at a time runs
     * {@code task}.
     *
     * @param name the key of the lock that the leader holds
     */
    default Leader leader(String name, LeaderTask task) {
        return LockLeader.start(locks(), AcquireRequest.of(name), task);
    }

    /** Closes consumers, ends waiting and renewal. Locks that are held stay held until their expiry: close them first. */
    @Override
    void close();

    /** What the leader does. */
    @FunctionalInterface
    interface LeaderTask {
        /**
         * Runs while this process is the leader, in a thread of its own. It is interrupted when the leadership is lost, and when the
         * {@link Leader} is closed. When it returns or throws, the leadership is given up, and this process stands for election again a
         * second later.
         *
         * @param lock the lock of the leader: {@link HeldLock#isHeld()} between steps, {@link HeldLock#guard} for transactions, {@link
         *     HeldLock#fence()} for other systems
         */
        void lead(HeldLock lock) throws Exception;
    }
}
