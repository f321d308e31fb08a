package dev.leasehold.queue;

import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.spi.Completions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose items have payloads of one type: {@code Queue<Order> orders = queues.declare(config, Json.of(Order.class))}.
 *
 * <ul>
 *   <li>A produce that was acknowledged is in the store. Items of a partition are leased in the order of their produces.
 *   <li>A handler works on an item under a lease, which its consumer extends. If the consumer dies, another one gets the item.
 *   <li>{@link #consume} delivers at least once: a handler's effects outside of the database may happen twice. {@link
 *       #consumeInTransaction} has effects in the same database happen exactly once.
 * </ul>
 *
 * <p>Immutable, and safe for use by many threads. {@link #items} has the same queue without the type: leases by hand, and what
 * operators need.
 *
 * @param <T> the type of the payloads
 */
public final class Queue<T> {
    private final ItemQueue items;
    private final Codec<T> codec;
    private final Interceptors interceptors;
    private final @Nullable Executor executor;

    private Queue(ItemQueue items, Codec<T> codec, Interceptors interceptors, @Nullable Executor executor) {
        this.items = items;
        this.codec = codec;
        this.interceptors = interceptors;
        this.executor = executor;
    }

    /** The payloads of {@code items}, as {@code codec} reads and writes them. */
    public static <T> Queue<T> of(ItemQueue items, Codec<T> codec) {
        return new Queue<>(items, codec, Interceptors.NONE, null);
    }

    /** The same queue with one more interceptor, inside of those that it has. */
    public Queue<T> with(QueueInterceptor interceptor) {
        return new Queue<>(items, codec, interceptors.and(interceptor), executor);
    }

    /** The same queue, whose futures complete on {@code executor}. Otherwise they complete in engine threads: callbacks must be quick. */
    public Queue<T> completingOn(Executor executor) {
        return new Queue<>(items, codec, interceptors, executor);
    }

    /** The name of the queue. */
    public String name() {
        return items.name();
    }

    /** The same queue as items: bytes with ids, leased, completed and listed by hand. */
    public ItemQueue items() {
        return items;
    }

    /** Produces one item, ready at once. When this returns it is in the store. */
    public Produced produce(T payload) {
        return produce(payload, item -> item);
    }

    /** Produces one item with more to it: {@code produce(order, item -> item.when(When.after(delay)).reference("customer 7"))}. */
    public Produced produce(T payload, UnaryOperator<NewItem> change) {
        return items.produce(ProduceRequest.of(List.of(item(payload, change))));
    }

    /** Produces up to 1,000 items into one partition, in their order, all or none. */
    public Produced produceAll(List<T> payloads) {
        return items.produce(ProduceRequest.of(items(payloads)));
    }

    /** {@link #produce} without blocking. The future fails with a {@link QueueException}, or with what the codec threw. */
    public CompletableFuture<Produced> produceAsync(T payload) {
        try {
            ProduceRequest request = ProduceRequest.of(List.of(item(payload, item -> item)));
            return Completions.on(executor, items.produceAsync(request), produced -> {});
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Produces in the caller's transaction: the item is there when it commits. On PostgreSQL. */
    public Produced produce(Connection connection, T payload) {
        return produce(connection, payload, item -> item);
    }

    /** Produces one item with more to it in the caller's transaction. On PostgreSQL. */
    public Produced produce(Connection connection, T payload, UnaryOperator<NewItem> change) {
        return items.produce(connection, List.of(item(payload, change)));
    }

    /** Produces up to 1,000 items in the caller's transaction, into one partition, in their order. On PostgreSQL. */
    public Produced produceAll(Connection connection, List<T> payloads) {
        return items.produce(connection, items(payloads));
    }

    private List<NewItem> items(List<T> payloads) {
        List<NewItem> all = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> all.add(item(payload, item -> item)));
        return all;
    }

    private NewItem item(T payload, UnaryOperator<NewItem> change) {
        NewItem item = change.apply(NewItem.of(codec.encode(payload)).encoding(codec.encoding()));
        return interceptors.produced(name(), item);
    }

    /** Has {@code handler} work on each item, with the default options, until the consumer or its engine is closed. */
    public Consumer consume(Handler<T> handler) {
        return consume(ConsumeOptions.DEFAULT, handler);
    }

    /** Has {@code handler} work on each item until the consumer or its engine is closed. */
    public Consumer consume(ConsumeOptions options, Handler<T> handler) {
        return items.consume(options, raw -> {
            Work<T> work = TypedWork.of(raw, codec);
            interceptors.around(name(), List.of(work), () -> handler.handle(work));
        });
    }

    /** Has {@code handler} work on items that were leased together, up to the options' batch size. */
    public Consumer consumeBatches(ConsumeOptions options, BatchHandler<T> handler) {
        return items.consumeBatches(options, raw -> {
            List<Work<T>> batch = TypedWork.readable(name(), raw, codec, options.retry());
            if (!batch.isEmpty()) {
                interceptors.around(name(), batch, () -> handler.handle(batch));
            }
        });
    }

    /** {@link #consumeInTransaction(ConsumeOptions, TransactionHandler)} with the default options. */
    public Consumer consumeInTransaction(TransactionHandler<T> handler) {
        return consumeInTransaction(ConsumeOptions.DEFAULT, handler);
    }

    /**
     * Has {@code handler} work on each item in a transaction that also completes it. What it writes with that connection, the
     * completion and what it produces with that connection commit together: exactly once, also after a crash.
     *
     * <p>If the handler throws, {@linkplain Work#retryAfter retries} or {@linkplain Work#bury buries} the item, or the lease was lost
     * meanwhile, the transaction is rolled back. Each handler that runs uses one connection of the engine's data source. On
     * PostgreSQL.
     */
    public Consumer consumeInTransaction(ConsumeOptions options, TransactionHandler<T> handler) {
        return items.consumeInTransaction(options, (connection, raw) -> {
            Work<T> work = TypedWork.of(raw, codec);
            interceptors.around(name(), List.of(work), () -> handler.handle(connection, work));
        });
    }
}
