package dev.leasehold.queue;

import java.util.List;

/**
 * Lease-based FIFO queues by name.
 *
 * <p>Any number of nodes serve the same queues, without a leader. Safe for use by many threads. A call that fails throws a
 * {@link QueueException}; wrong arguments are refused before any I/O.
 */
public interface Queues extends AutoCloseable {
    /** Creates a queue. Its tables come with the first item. */
    QueueInfo create(QueueConfig config);

    /** The queue as it is now. */
    QueueInfo info(String name);

    /** A page of queues, in the order of their names. */
    List<QueueInfo> list(QueueListing listing);

    /** Changes a queue. Every node acts on it from when this returns. */
    QueueInfo update(QueueUpdate update);

    /** Deletes a queue with all that is in it. Who waits at it is told that it is shutting down. */
    void delete(String name);

    /** The queue of that name. Does no I/O: whether there is one shows with the first call. */
    Queue queue(String name);

    /** Tells everybody who waits that it is shutting down, and finishes what is under way. */
    @Override
    void close();
}
