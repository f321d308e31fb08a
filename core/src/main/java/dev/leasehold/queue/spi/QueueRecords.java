package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueListing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where queues are written down. Rules that need no store have been checked before. */
public interface QueueRecords {
    /** Writes a queue down, with a new uid and version; empty if there is one of that name. */
    CompletableFuture<Optional<QueueRecord>> create(QueueConfig config, List<String> stores);

    CompletableFuture<Optional<QueueRecord>> get(String name);

    /** A page of the queues of a namespace. */
    CompletableFuture<List<QueueRecord>> list(QueueListing listing);

    /** All queues, whatever their namespace, from a name on, exclusive; at most {@code limit}. */
    CompletableFuture<List<QueueRecord>> all(String after, int limit);

    /** Replaces {@code current} with a new version; empty if it is not current any more. */
    CompletableFuture<Optional<QueueRecord>> update(QueueRecord current, QueueConfig config, List<String> stores);

    /** Deletes a queue with all its items; false if there was none. */
    CompletableFuture<Boolean> delete(String name);

    /** Brings a store's copy of the record up to date, if it has one of its own. */
    default CompletableFuture<Void> refresh(QueueRecord record, String store) {
        return CompletableFuture.completedFuture(null);
    }
}
