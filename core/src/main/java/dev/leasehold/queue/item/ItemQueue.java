package dev.leasehold.queue.item;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.TransactionHandler;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemAdmin;
import dev.leasehold.queue.internal.QueueAwait;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A queue of bytes: items are produced into it, leased from it in that order, and completed or retried under their lease.
 *
 * <ul>
 *   <li>An acknowledged produce is in the store. Per partition, items are leased in the order in which their produces were
 *       acknowledged, whichever node they came through.
 *   <li>An item is leased to one consumer at a time. If the lease ends, or on retry, it goes to the tail under a new id; the
 *       old id is dead.
 *   <li>Complete, retry and extend are atomic per call: if one id is wrong, nothing happened, and the exception names it.
 * </ul>
 *
 * <p>The {@code …Async} form of each method never blocks; its future fails with a {@link QueueException}. Cancelling a future
 * withdraws the call if it has not been sent yet; items that were leased for it go back to where they were.
 */
public interface ItemQueue {
    /** The name of the queue. */
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

    /** This queue for operators: listings, counts, import, delete. */
    ItemAdmin admin();

    /** {@link #produce(ProduceRequest)} without a thread. */
    CompletableFuture<Produced> produceAsync(ProduceRequest request);

    /** {@link #lease(LeaseRequest)} without a thread. */
    CompletableFuture<LeasedBatch> leaseAsync(LeaseRequest request);

    /** {@link #complete(int, List)} without a thread. */
    CompletableFuture<Void> completeAsync(int partition, List<ItemId> ids);

    /** {@link #retry(int, List)} without a thread. */
    CompletableFuture<Void> retryAsync(int partition, List<RetryItem> items);

    /** {@link #extend(int, List, Duration)} without a thread. */
    CompletableFuture<Instant> extendAsync(int partition, List<ItemId> ids, Duration leaseTimeout);

    /** {@link #giveBack(int, List)} without a thread. */
    CompletableFuture<Void> giveBackAsync(int partition, List<ItemId> ids);

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

    /**
     * Completes leased items in the open transaction of {@code connection}: either both happen or neither.
     *
     * @throws QueueException if a lease was lost, and the transaction was rolled back; or this engine has no transactions: only
     *     PostgreSQL has
     */
    default void complete(Connection connection, int partition, List<ItemId> ids) {
        throw noTransactions();
    }

    /** {@link #complete(Connection, int, List)} for all items of a batch. */
    default void complete(Connection connection, LeasedBatch batch) {
        complete(connection, batch.partition(), batch.ids());
    }

    private QueueException noTransactions() {
        return QueueException.invalidArgument("queue '" + name()
                + "' is not in a database that this process is connected to: transactions need the PostgreSQL engine");
    }

    /** This queue for callers that block: an engine may then do the work in their thread. */
    default ItemQueue blocking() {
        return this;
    }

    /** Produces items into the partition that has the fewest. When this returns they are in the store. */
    default Produced produce(ProduceRequest request) {
        return QueueAwait.on(blocking().produceAsync(request));
    }

    /** Produces items together, with the default timeout. */
    default Produced produce(NewItem... items) {
        return produce(ProduceRequest.of(items));
    }

    /** Leases items from the partition that has the most; waits until there is one, or the request's timeout is over. */
    default LeasedBatch lease(LeaseRequest request) {
        return QueueAwait.on(blocking().leaseAsync(request));
    }

    /** Leases up to {@code batchSize} items, waiting for the first for a minute at most. */
    default LeasedBatch lease(int batchSize) {
        return lease(LeaseRequest.of(batchSize));
    }

    /** Completes an item (acknowledges it): it is deleted. */
    default void complete(LeasedItem item) {
        complete(item.partition(), List.of(item.id()));
    }

    /** Completes all items of a batch. */
    default void complete(LeasedBatch batch) {
        complete(batch.partition(), batch.ids());
    }

    /** Completes leased items of a partition: they are deleted. */
    default void complete(int partition, List<ItemId> ids) {
        QueueAwait.on(blocking().completeAsync(partition, ids));
    }

    /** Ends the lease of an item and makes it ready again: at once or later, at the tail. */
    default void retry(LeasedItem item, When when) {
        retry(item.partition(), List.of(RetryItem.at(item.id(), when)));
    }

    /**
     * Ends the lease of items and makes them ready again, now or later, or dead-letters them. Items at the queue's max attempts are
     * dead-lettered.
     */
    default void retry(int partition, List<RetryItem> items) {
        QueueAwait.on(blocking().retryAsync(partition, items));
    }

    /** Extends the lease of an item to {@code leaseTimeout} from now, or the queue's lease timeout if that is zero. */
    default Instant extend(LeasedItem item, Duration leaseTimeout) {
        return extend(item.partition(), List.of(item.id()), leaseTimeout);
    }

    /**
     * Extends the lease of items to {@code leaseTimeout} from now, or the queue's lease timeout if that is zero. An item whose deadline
     * has passed can be extended until a sweep or a lease finds it.
     *
     * @return the new deadline
     */
    default Instant extend(int partition, List<ItemId> ids, Duration leaseTimeout) {
        return QueueAwait.on(blocking().extendAsync(partition, ids, leaseTimeout));
    }

    /** Gives items back that were leased and not begun: each is ready at its old place under a new id, and the attempt does not count. */
    default void giveBack(int partition, List<ItemId> ids) {
        QueueAwait.on(blocking().giveBackAsync(partition, ids));
    }
}
