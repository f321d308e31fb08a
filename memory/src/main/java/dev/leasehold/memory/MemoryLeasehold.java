package dev.leasehold.memory;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import java.util.function.LongSupplier;

/**
 * Locks and queues that exist only in this process, for unit tests: {@code Leasehold leasehold = MemoryLeasehold.create()}.
 *
 * <p>The same promises as in PostgreSQL, without transactions and without durability.
 */
public final class MemoryLeasehold implements Leasehold {
    private final MemoryLocks locks;
    private final MemoryQueues queues;

    private MemoryLeasehold(LongSupplier nowMs, LockOptions locks, QueueOptions queues) {
        this.locks = MemoryLocks.on(new MemoryLockStore(nowMs), locks);
        this.queues = MemoryQueues.on(new MemoryQueueStore(nowMs), queues);
    }

    /** Locks and queues by the clock of this machine. */
    public static MemoryLeasehold create() {
        return create(System::currentTimeMillis);
    }

    /** Locks and queues by a clock that a test moves, in epoch milliseconds: ttls, leases and schedules end by it. */
    public static MemoryLeasehold create(LongSupplier nowMs) {
        return create(nowMs, LockOptions.DEFAULT, QueueOptions.DEFAULT);
    }

    /** Locks and queues by a clock that a test moves, with listeners, executors and defaults of your own. */
    public static MemoryLeasehold create(LongSupplier nowMs, LockOptions locks, QueueOptions queues) {
        return new MemoryLeasehold(nowMs, locks, queues);
    }

    @Override
    public Locks locks() {
        return locks;
    }

    @Override
    public Queues queues() {
        return queues;
    }

    @Override
    public void migrate() {
        // there are no tables
    }

    @Override
    public void close() {
        try (locks) {
            queues.close();
        }
    }
}
