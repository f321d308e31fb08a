package dev.leasehold.client;

import dev.leasehold.memory.MemoryQueueStore;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Nodes on queues in memory, closed by the servers that they are given to. */
final class MemoryQueueEngine implements QueueFixture {
    private final TestClock clock = new TestClock();
    private final List<DiscardedItems> discarded = new CopyOnWriteArrayList<>();
    private final MemoryQueueStore store = new MemoryQueueStore(clock);

    @Override
    public Queues node() {
        return node(QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)));
    }

    @Override
    public Queues node(QueueOptions options) {
        return MemoryQueues.on(store, options.listener(discarded::add));
    }

    @Override
    public List<DiscardedItems> discarded() {
        return discarded;
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void close() {}
}
