package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What operators do with the items of a queue, from {@link ItemQueue#admin()}.
 *
 * <p>The {@code …Async} form of each method never blocks; its future fails with a {@link QueueException}.
 */
public interface ItemAdmin {
    /** {@link #list} without a thread. */
    CompletableFuture<List<StoredItem>> listAsync(ItemListing listing);

    /** {@link #listScheduled} without a thread. */
    CompletableFuture<List<StoredItem>> listScheduledAsync(ItemListing listing);

    /** {@link #importItems} without a thread. */
    CompletableFuture<List<StoredItem>> importItemsAsync(int partition, List<StoredItem> items);

    /** {@link #delete} without a thread. */
    CompletableFuture<Void> deleteAsync(int partition, List<ItemId> ids);

    /** {@link #clear} without a thread. */
    CompletableFuture<Void> clearAsync(ClearRequest request);

    /** {@link #stats} without a thread. */
    CompletableFuture<QueueStats> statsAsync();

    /** {@link #reload} without a thread. */
    CompletableFuture<Void> reloadAsync();

    /** Items that are ready or leased, in their order. */
    default List<StoredItem> list(ItemListing listing) {
        return QueueAwait.on(listAsync(listing));
    }

    /** Items that are scheduled, in the order in which they were produced. */
    default List<StoredItem> listScheduled(ItemListing listing) {
        return QueueAwait.on(listScheduledAsync(listing));
    }

    /**
     * Puts items into a partition as they are, under new ids. An item whose source id is there already is left out.
     *
     * @return the items with their ids, in the order of the request; those left out have none
     */
    default List<StoredItem> importItems(int partition, List<StoredItem> items) {
        return QueueAwait.on(importItemsAsync(partition, items));
    }

    /** Deletes items, leased or not. Ids that are not there are ignored. */
    default void delete(int partition, List<ItemId> ids) {
        QueueAwait.on(deleteAsync(partition, ids));
    }

    /** Deletes all items that the request is about, in all partitions. */
    default void clear(ClearRequest request) {
        QueueAwait.on(clearAsync(request));
    }

    /** Counts the items, leases and waiting calls of the queue. */
    default QueueStats stats() {
        return QueueAwait.on(statsAsync());
    }

    /** Counts the items of every partition anew, and tries partitions again that were failing. */
    default void reload() {
        QueueAwait.on(reloadAsync());
    }
}
