package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.QueueListing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where queues are written down. Rules that need no store have been checked before.
 *
 * <p>The rules about dead queues are checked in the same transaction as the change: a dead queue is there, in the same namespace, and
 * has no dead queue of its own; one that another queue names is not deleted and gets none. Two changes at the same time of which each
 * alone would keep to them do not break them together.
 */
public interface QueueRecords {
    /** Writes a queue down, with a new uid and version; empty if there is one of that name, or its dead queue does not fit. */
    CompletableFuture<Optional<QueueRecord>> create(QueueConfig config, List<String> stores);

    /** The record of the queue of that name. */
    CompletableFuture<Optional<QueueRecord>> get(String name);

    /** A page of the queues of a namespace. */
    CompletableFuture<List<QueueRecord>> list(QueueListing listing);

    /** All queues, whatever their namespace, from a name on, exclusive; at most {@code limit}. */
    CompletableFuture<List<QueueRecord>> all(String after, int limit);

    /** Replaces {@code current} with a new version; empty if it is not current any more, or its dead queue does not fit. */
    CompletableFuture<Optional<QueueRecord>> update(QueueRecord current, QueueConfig config, List<String> stores);

    /** Deletes a queue with all its items; false if there was none, or it is the dead queue of another. */
    CompletableFuture<Boolean> delete(String name);

    /** Fails unless records can be written. Writes nothing. */
    default CompletableFuture<Void> checkWritable() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Brings what a store has of the queue up to date: its copy of the record, if it has one of its own, and what it draws numbers
     * from. The record may have another version afterwards.
     */
    default CompletableFuture<Void> refresh(QueueRecord record, String store) {
        return CompletableFuture.completedFuture(null);
    }
}
