package dev.leasehold.testkit;

import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives a contract its engine: any number of nodes on the same queues, with one clock. */
public interface QueueFixture extends AutoCloseable {
    /**
     * A new node: its own threads and waiting leases, the same queues. It looks for what is due every 20 ms, so that a test that
     * has moved the clock soon sees what follows. Closed with the fixture.
     */
    Queues node();

    /** A new node that works as these options say. */
    default Queues node(QueueOptions options) {
        throw new UnsupportedOperationException("this fixture has no nodes with options of their own: " + options);
    }

    /** What all nodes have told their listeners of discarded items; null if that cannot be heard here. */
    default @Nullable List<DiscardedItems> discarded() {
        return null;
    }

    /** How many lease requests of this node wait at the queue. */
    default int waitingAt(ItemQueue queue) {
        return queue.admin().stats().leaseWaiting();
    }

    /** How many bytes the name of a queue may have that is leased from. */
    default int longestName() {
        return 512;
    }

    /** The clock by which the store decides. */
    TestClock clock();

    @Override
    void close();
}
