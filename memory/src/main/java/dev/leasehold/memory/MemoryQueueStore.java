package dev.leasehold.memory;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecords;
import dev.leasehold.queue.spi.StaleQueueException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The queue contract as plainly as it can be written: every transition is a few lines under one monitor.
 *
 * <ol>
 *   <li>A partition is a row of items by number. A number is given once; the id is made of it.
 *   <li>An item is scheduled, ready or leased, and has one moment at which it is due: see {@link Item}.
 *   <li>Nothing happens by itself. Until somebody sweeps, an ended lease can still be completed or extended.
 *   <li>A caller who knows an older version of the queue is refused.
 * </ol>
 *
 * All futures are complete when they are returned. It needs no closing, and nodes may share it.
 */
public final class MemoryQueueStore {
    /** The name of this store in the records of queues. */
    public static final String NAME = "memory";

    private final Object monitor = new Object();
    private final LongSupplier nowMs;
    private final Map<String, StoredQueue> queues = new HashMap<>();
    private final ReadyListeners listeners = new ReadyListeners();
    private final QueueRecords records = new MemoryQueueRecords(this, queues);

    /** A store by the clock of this machine. */
    public MemoryQueueStore() {
        this(System::currentTimeMillis);
    }

    /** A store whose time, in epoch milliseconds, is {@code nowMs}. */
    public MemoryQueueStore(LongSupplier nowMs) {
        this.nowMs = nowMs;
    }

    /** The records of the queues. */
    public QueueRecords records() {
        return records;
    }

    /** The items, for one node. Closing it ends what the node hears of the others, and nothing else. */
    public ItemStore items() {
        return new MemoryItemStore(this, listeners);
    }

    /** One transition, all of it under the monitor. */
    <T> CompletableFuture<T> call(Supplier<T> transition) {
        try {
            synchronized (monitor) {
                return CompletableFuture.completedFuture(transition.get());
            }
        } catch (QueueException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    Instant now() {
        return Instant.ofEpochMilli(nowMs.getAsLong());
    }

    /** The queue that a partition belongs to, if the caller knows it as it is. */
    StoredQueue current(PartitionRef ref) {
        StoredQueue queue = queues.get(ref.queue().name());
        if (queue == null || !queue.isAsKnownTo(ref.queue())) {
            throw new StaleQueueException(ref);
        }
        return queue;
    }
}
