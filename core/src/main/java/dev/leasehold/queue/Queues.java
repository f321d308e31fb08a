package dev.leasehold.queue;

import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.internal.Declarations;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.queue.item.ItemQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lease-based FIFO queues by name.
 *
 * <p>Any number of nodes serve the same queues, without a leader. Safe for use by many threads. A call that fails throws a
 * {@link QueueException}; wrong arguments are refused before any I/O. The {@code …Async} form of a method never blocks and throws
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

    /** {@link #declare(QueueConfig)} without a thread. */
    default CompletableFuture<QueueInfo> declareAsync(QueueConfig config) {
        return QueueAwait.plain(() -> Declarations.declare(this, config));
    }

    /**
     * Creates the queue, or changes it to {@code config} if it is there and differs: for the start of an application, on any number of
     * nodes, any number of times. Only the namespace of a queue cannot be changed.
     */
    default QueueInfo declare(QueueConfig config) {
        return QueueAwait.on(declareAsync(config));
    }

    /** {@link #declare(QueueConfig)}, and the queue with payloads that {@code codec} reads and writes. */
    default <T> Queue<T> declare(QueueConfig config, Codec<T> codec) {
        declare(config);
        return queue(config.name(), codec);
    }

    /** The queue of that name with payloads that {@code codec} reads and writes. Does no I/O. */
    default <T> Queue<T> queue(String name, Codec<T> codec) {
        return Queue.of(queue(name), codec);
    }

    /** Creates a queue; fails if it is there. Its tables come with the first item. */
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

    /** Deletes a queue with all that is in it. Waiting leases fail as {@link QueueErrorCode#SHUTTING_DOWN}. */
    default void delete(String name) {
        QueueAwait.on(deleteAsync(name));
    }

    /** The queue of that name. Does no I/O: whether there is one shows with the first call. */
    ItemQueue queue(String name);

    /** Ends waiting leases as {@link QueueErrorCode#SHUTTING_DOWN}, stops consumers, and finishes what is under way. */
    @Override
    void close();
}
