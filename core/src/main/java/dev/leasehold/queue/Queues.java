package dev.leasehold.queue;

import java.util.List;
import java.util.concurrent.CompletableFuture;

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

    /** {@link #create} without a thread. */
    default CompletableFuture<QueueInfo> createAsync(QueueConfig config) {
        throw new UnsupportedOperationException();
    }

    /** {@link #info} without a thread. */
    default CompletableFuture<QueueInfo> infoAsync(String name) {
        throw new UnsupportedOperationException();
    }

    /** {@link #list} without a thread. */
    default CompletableFuture<List<QueueInfo>> listAsync(QueueListing listing) {
        throw new UnsupportedOperationException();
    }

    /** {@link #update} without a thread. */
    default CompletableFuture<QueueInfo> updateAsync(QueueUpdate update) {
        throw new UnsupportedOperationException();
    }

    /** {@link #delete} without a thread. */
    default CompletableFuture<Void> deleteAsync(String name) {
        throw new UnsupportedOperationException();
    }

    /** The queue of that name. Does no I/O: whether there is one shows with the first call. */
    Queue queue(String name);

    /** Tells everybody who waits that it is shutting down, and finishes what is under way. */
    @Override
    void close();
}
