package dev.leasehold.memory;

import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Nodes on one {@link MemoryQueueStore}. */
final class MemoryQueueFixture implements QueueFixture {
    private final TestClock clock = new TestClock();
    private final List<DiscardedItems> discarded = new CopyOnWriteArrayList<>();
    private final MemoryQueueStore store = new MemoryQueueStore(clock);
    private final List<MemoryQueues> nodes = new CopyOnWriteArrayList<>();

    @Override
    public MemoryQueues node() {
        return node(QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)));
    }

    @Override
    public MemoryQueues node(QueueOptions options) {
        MemoryQueues node = MemoryQueues.on(store, options.listener(discarded::add));
        nodes.add(node);
        return node;
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
    public void close() {
        nodes.forEach(MemoryQueues::close);
    }
}
