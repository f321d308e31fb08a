package dev.leasehold.memory;

import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.spi.LeaseQueues;
import dev.leasehold.queue.spi.NamedStore;
import java.util.List;

/** Queues that exist only in this process. Several of them on one {@link MemoryQueueStore} stand for several nodes. */
public final class MemoryQueues extends LeaseQueues {
    private MemoryQueues(MemoryQueueStore store, QueueOptions options) {
        super(store.records(), List.of(new NamedStore(MemoryQueueStore.NAME, 1, store.items())), options);
    }

    /** Queues with all defaults, on a store of their own. */
    public static MemoryQueues create() {
        return create(QueueOptions.DEFAULT);
    }

    /** Queues on a store of their own. */
    public static MemoryQueues create(QueueOptions options) {
        return on(new MemoryQueueStore(), options);
    }

    /** A node of its own on the queues of {@code store}. Closing it leaves the store to the other nodes. */
    public static MemoryQueues on(MemoryQueueStore store, QueueOptions options) {
        return new MemoryQueues(store, options);
    }
}
