package dev.leasehold.queue.item;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.TransactionHandler;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.internal.QueueAwait;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A queue: items are produced into it, leased from it in that order, and completed or retried under their lease.
 *
 * <ul>
 *   <li>An acknowledged produce is in the store. Per partition, items are leased in the order in which their produces were
 *       acknowledged, whichever node they came through.
 *   <li>An item is leased to one consumer at a time. If the lease ends, or on retry, it goes to the tail under a new id; the
 *       old id is dead.
 *   <li>Complete, retry and extend are atomic per call: if one id is wrong, nothing happened, and the exception names it.
 * </ul>
 *
 * <p>The {@code …Async} form of each verb never blocks; its future fails with a {@link QueueException}. Cancelling a future
 * withdraws the call if it has not been sent yet; items that were leased for it go back to where they were.
 */
public interface ItemQueue {
    String name();

    /** The namespace that it belongs to, as this node knows it: it may have learned it a moment ago. Fails if there is no such queue. */
    CompletableFuture<String> namespaceAsync();

    /**
     * This queue, as long as it belongs to {@code namespace}: a queue of the same name that was created in another one meanwhile is
     * not found by it. For a server that has asked whether its caller may.
     */
    default ItemQueue within(String namespace) {
        throw new UnsupportedOperationException("this queue is not bound to a namespace by its client: " + namespace);
    }

    /** Produces into the partition with the least in it. */
    CompletableFuture<Produced> produceAsync(ProduceRequest request);

    /** Leases from the partition with the most in it; waits until there is something or the request's timeout is over. */
    CompletableFuture<LeasedBatch> leaseAsync(LeaseRequest request);

    /** Completes leased items: they are gone. */
    CompletableFuture<Void> completeAsync(int partition, List<ItemId> ids);

    /** Gives leased items another turn, now or later, or none. Who has used up the queue's max attempts gets none. */
    CompletableFuture<Void> retryAsync(int partition, List<RetryItem> items);

    /**
     * Makes the lease of items end later: {@code leaseTimeout} from now, or the queue's if that is zero. An item whose deadline
     * has passed can be extended as long as nobody noticed.
     *
     * @return the new deadline
     */
    CompletableFuture<Instant> extendAsync(int partition, List<ItemId> ids, Duration leaseTimeout);

    /** Gives items back that were leased and not begun: same id, same place, and the attempt does not count. */
    CompletableFuture<Void> giveBackAsync(int partition, List<ItemId> ids);

    /** Items that are ready or leased, in their order. */
    CompletableFuture<List<StoredItem>> listAsync(ItemListing listing);

    /** Items that are scheduled, in the order in which they were produced. */
    CompletableFuture<List<StoredItem>> listScheduledAsync(ItemListing listing);

    /**
     * Puts items into a partition as they are, under new ids. One whose source id is there already is left out.
     *
     * @return the items with their ids, in the order of the request; those left out have none
     */
    CompletableFuture<List<StoredItem>> importItemsAsync(int partition, List<StoredItem> items);

    /** Deletes items, leased or not. Ids that are not there are ignored. */
    CompletableFuture<Void> deleteAsync(int partition, List<ItemId> ids);

    CompletableFuture<Void> clearAsync(ClearRequest request);

    CompletableFuture<QueueStats> statsAsync();

    /** Counts the items of every partition anew, and tries partitions again that were failing. */
    CompletableFuture<Void> reloadAsync();

    /** Has {@code handler} work on each item until the consumer is closed. */
    Consumer consume(ConsumeOptions options, Handler<LeasedItem> handler);

    /** Has {@code handler} work on items that were leased together, up to the options' batch size, until the consumer is closed. */
    Consumer consumeBatches(ConsumeOptions options, BatchHandler<LeasedItem> handler);

    /**
     * Has {@code handler} work on each item in a transaction that also completes it: what the handler writes and produces with that
     * connection happens exactly once. Each running handler uses a connection of the engine's data source.
     *
     * @throws QueueException if this engine has no transactions: only PostgreSQL has
     */
    default Consumer consumeInTransaction(ConsumeOptions options, TransactionHandler<LeasedItem> handler) {
        throw noTransactions();
    }

    /**
     * Produces in the open transaction of {@code connection}: the items are there when it commits, and never were if it rolls back.
     *
     * @throws QueueException if this engine has no transactions: only PostgreSQL has
     */
    default Produced produce(Connection connection, List<NewItem> items) {
        throw noTransactions();
    }

    private QueueException noTransactions() {
        return QueueException.invalidArgument("queue '" + name()
                + "' is not in a database that this process is connected to: transactions need the PostgreSQL engine");
    }

    /** This queue for callers that block: an engine may then do the work in their thread. */
    default ItemQueue blocking() {
        return this;
    }

    default Produced produce(ProduceRequest request) {
        return QueueAwait.on(blocking().produceAsync(request));
    }

    default Produced produce(NewItem... items) {
        return produce(ProduceRequest.of(items));
    }

    default LeasedBatch lease(LeaseRequest request) {
        return QueueAwait.on(blocking().leaseAsync(request));
    }

    default void complete(LeasedBatch batch) {
        complete(batch.partition(), batch.ids());
    }

    default void complete(int partition, List<ItemId> ids) {
        QueueAwait.on(blocking().completeAsync(partition, ids));
    }

    default void retry(int partition, List<RetryItem> items) {
        QueueAwait.on(blocking().retryAsync(partition, items));
    }

    default Instant extend(int partition, List<ItemId> ids, Duration leaseTimeout) {
        return QueueAwait.on(blocking().extendAsync(partition, ids, leaseTimeout));
    }

    default void giveBack(int partition, List<ItemId> ids) {
        QueueAwait.on(blocking().giveBackAsync(partition, ids));
    }

    default List<StoredItem> list(ItemListing listing) {
        return QueueAwait.on(listAsync(listing));
    }

    default List<StoredItem> listScheduled(ItemListing listing) {
        return QueueAwait.on(listScheduledAsync(listing));
    }

    default List<StoredItem> importItems(int partition, List<StoredItem> items) {
        return QueueAwait.on(importItemsAsync(partition, items));
    }

    default void delete(int partition, List<ItemId> ids) {
        QueueAwait.on(deleteAsync(partition, ids));
    }

    default void clear(ClearRequest request) {
        QueueAwait.on(clearAsync(request));
    }

    default QueueStats stats() {
        return QueueAwait.on(statsAsync());
    }

    default void reload() {
        QueueAwait.on(reloadAsync());
    }
}
