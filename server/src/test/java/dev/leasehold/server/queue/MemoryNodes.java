package dev.leasehold.server.queue;

import dev.leasehold.memory.MemoryQueueStore;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import java.time.Duration;

/** Nodes on one store in memory. Their servers close them. */
final class MemoryNodes implements QueueFixture {
    private final TestClock clock = new TestClock();
    private final MemoryQueueStore store = new MemoryQueueStore(clock);

    @Override
    public Queues node() {
        return MemoryQueues.on(store, QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)));
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void close() {}
}
