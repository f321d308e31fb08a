package dev.leasehold.queue;

import dev.leasehold.queue.internal.QueueAwait;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lease-based FIFO queues by name.
 *
 * <p>Any number of nodes serve the same queues, without a leader. Safe for use by many threads. A call that fails throws a
 * {@link QueueException}; wrong arguments are refused before any I/O. The {@code …Async} form of a verb never blocks and throws
 * nothing: its future fails with the {@link QueueException}.
 */
public interface Queues extends AutoCloseable {
    /** {@link #create} without a thread. */
    CompletableFuture<QueueInfo> createAsync(QueueConfig config);

    /** {@link #info} without a thread. */
    CompletableFuture<QueueInfo> infoAsync(String name);

    /** {@link #list} without a thread. */
    CompletableFuture<List<QueueInfo>> listAsync(QueueListing listing);

    /** {@link #update} without a thread. */
    CompletableFuture<QueueInfo> updateAsync(QueueUpdate update);

    /** {@link #delete} without a thread. */
    CompletableFuture<Void> deleteAsync(String name);

    /** Creates a queue. Its tables come with the first item. */
    default QueueInfo create(QueueConfig config) {
        return QueueAwait.on(createAsync(config));
    }

    /** The queue as it is now. */
    default QueueInfo info(String name) {
        return QueueAwait.on(infoAsync(name));
    }

    /** A page of queues, in the order of their names. */
    default List<QueueInfo> list(QueueListing listing) {
        return QueueAwait.on(listAsync(listing));
    }

    /** Changes a queue. Every node acts on it from when this returns. */
    default QueueInfo update(QueueUpdate update) {
        return QueueAwait.on(updateAsync(update));
    }

    /** Deletes a queue with all that is in it. Who waits at it is told that it is shutting down. */
    default void delete(String name) {
        QueueAwait.on(deleteAsync(name));
    }

    /** The queue of that name. Does no I/O: whether there is one shows with the first call. */
    Queue queue(String name);

    /** Tells everybody who waits that it is shutting down, and finishes what is under way. */
    @Override
    void close();
}
