package dev.leasehold.queue.internal;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue by its name: every verb finds the queue as it is now, picks the partition, and has its store do it. */
public class QueueHandle implements ItemQueue {
    private final QueueNode node;
    private final String name;
    private final boolean inCallerThread;
    private final Consumers consumers;
    private final @Nullable String namespace;
    private final Partitions partitions;

    public QueueHandle(QueueNode node, String name, Consumers consumers) {
        this(node, name, null, consumers, false);
    }

    private QueueHandle(
            QueueNode node, String name, @Nullable String namespace, Consumers consumers, boolean inCallerThread) {
        this.node = node;
        this.name = name;
        this.namespace = namespace;
        this.consumers = consumers;
        this.inCallerThread = inCallerThread;
        this.partitions = new Partitions(node.directory(), name, inCallerThread);
    }

    /** Starts consumers, and ends with their node. */
    public interface Consumers {
        Consumer start(ItemQueue queue, ConsumeOptions options, int turnSize, BatchHandler<LeasedItem> handler);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<String> namespaceAsync() {
        return QueueAwait.plain(() -> node.directory()
                .get(name)
                .thenApply(live -> live.record().info().config().namespace()));
    }

    @Override
    public ItemQueue within(String namespace) {
        return new QueueHandle(node, name, namespace, consumers, inCallerThread);
    }

    @Override
    public ItemQueue blocking() {
        return inCallerThread ? this : new QueueHandle(node, name, namespace, consumers, true);
    }

    @Override
    public CompletableFuture<Produced> produceAsync(ProduceRequest request) {
        return checked(
                () -> bounds().checkRequest(request.items(), NewItem::weight),
                () -> within(
                        request.timeout(), counted(live -> live.producing, live -> produce(live, request.items()))));
    }

    private CompletableFuture<Produced> produce(LocalQueue live, List<NewItem> items) {
        int partition = live.produceBegins(items);
        CompletableFuture<List<ItemId>> call =
                partitions.on(live, partition, (store, current) -> store.produce(current, items));
        CompletableFuture<Produced> result = call.handle((ids, failure) -> {
            live.produceEnded(partition, items, failure == null);
            if (failure != null) {
                throw QueueAwait.failure(failure);
            }
            return new Produced(partition, ids);
        });
        Futures.whenDone(result, (produced, failure) -> call.cancel(false));
        return result;
    }

    @Override
    public CompletableFuture<LeasedBatch> leaseAsync(LeaseRequest request) {
        LeaseCall call = new LeaseCall(request);
        Futures.whenDone(node.directory().get(name), (live, failure) -> {
            if (failure != null) {
                call.fail(QueueAwait.failure(failure));
            } else if (live.isIn(namespace)) {
                live.join(call, inCallerThread);
            } else {
                call.fail(QueueException.noSuchQueue(name));
            }
        });
        return call.result();
    }

    @Override
    public CompletableFuture<Void> completeAsync(int partition, List<ItemId> ids) {
        return checked(
                () -> QueueRules.ids(ids.size()),
                () -> counted(
                        live -> live.completing,
                        live -> partitions.at(live, partition, (s, ref) -> s.complete(ref, ids))));
    }

    @Override
    public CompletableFuture<Void> retryAsync(int partition, List<RetryItem> items) {
        return checked(() -> QueueRules.retries(items.size()), () -> call(live -> retry(live, partition, items)));
    }

    private CompletableFuture<Void> retry(LocalQueue live, int partition, List<RetryItem> items) {
        if (!live.hasPartition(partition)) {
            return partitions.with(partition).thenCompose(current -> retry(current, partition, items));
        }
        PartitionRef ref = live.record().partition(partition);
        return node.deadPartitions()
                .of(ref)
                .thenCompose(dead -> partitions
                        .at(live, partition, (store, current) -> store.retry(current, dead, items))
                        .thenAccept(retried -> {
                            node.discards().add(name, retried.discarded());
                            live.changed(ref, retried.ready(), retried.nextDue(), dead, retried.dead());
                        }));
    }

    @Override
    public CompletableFuture<Instant> extendAsync(int partition, List<ItemId> ids, Duration leaseTimeout) {
        return checked(
                () -> QueueRules.extension(ids.size(), leaseTimeout),
                () -> call(live -> {
                    Duration timeout = leaseTimeout.isZero()
                            ? live.record().info().config().leaseTimeout()
                            : leaseTimeout;
                    return partitions.at(live, partition, (store, ref) -> store.extend(ref, ids, timeout));
                }));
    }

    @Override
    public CompletableFuture<Void> giveBackAsync(int partition, List<ItemId> ids) {
        return checked(
                () -> QueueRules.ids(ids.size()),
                () -> call(live -> partitions
                        .at(live, partition, (store, ref) -> store.giveBack(ref, ids))
                        .thenAccept(
                                done -> live.changed(live.record().partition(partition), ids.size(), null, null, 0))));
    }

    @Override
    public CompletableFuture<List<StoredItem>> listAsync(ItemListing listing) {
        return list(listing, false);
    }

    @Override
    public CompletableFuture<List<StoredItem>> listScheduledAsync(ItemListing listing) {
        return list(listing, true);
    }

    private CompletableFuture<List<StoredItem>> list(ItemListing listing, boolean scheduled) {
        return call(live -> partitions.at(
                live,
                listing.partition(),
                (store, ref) -> store.list(
                        ref, scheduled, listing.pivot(), new Portion(listing.limit(), bounds().answerBytes()))));
    }

    @Override
    public CompletableFuture<List<StoredItem>> importItemsAsync(int partition, List<StoredItem> items) {
        return checked(
                () -> {
                    QueueRules.importBatch(items.size());
                    bounds().checkRequest(items, StoredItem::weight);
                },
                () -> call(live -> partitions
                        .at(live, partition, (store, ref) -> store.importItems(ref, items))
                        .thenApply(stored -> imported(live, partition, stored))));
    }

    private static List<StoredItem> imported(LocalQueue live, int partition, List<StoredItem> stored) {
        long ready = stored.stream()
                .filter(item -> item.id() != null && !item.isLeased())
                .count();
        live.changed(live.record().partition(partition), (int) ready, Duration.ZERO, null, 0);
        return stored;
    }

    @Override
    public CompletableFuture<Void> deleteAsync(int partition, List<ItemId> ids) {
        return checked(
                () -> QueueRules.deleteBatch(ids.size()),
                () -> call(live -> partitions.at(live, partition, (store, ref) -> store.delete(ref, ids))));
    }

    @Override
    public CompletableFuture<Void> clearAsync(ClearRequest request) {
        return call(live -> partitions
                .everywhere(live, (store, ref) -> store.clear(ref, request))
                .thenAccept(done -> live.look()));
    }

    @Override
    public CompletableFuture<QueueStats> statsAsync() {
        return call(live -> QueueCensus.of(name, live, partitions));
    }

    @Override
    public CompletableFuture<Void> reloadAsync() {
        return call(live -> partitions
                .everywhere(live, (store, ref) -> store.look(List.of(ref)))
                .thenAccept(done -> live.look()));
    }

    @Override
    public Consumer consume(ConsumeOptions options, Handler<LeasedItem> handler) {
        return consumers.start(this, options, 1, works -> handler.handle(works.get(0)));
    }

    @Override
    public Consumer consumeBatches(ConsumeOptions options, BatchHandler<LeasedItem> handler) {
        return consumers.start(this, options, options.batchSize(), handler);
    }

    /** How much one call may store or return. */
    protected final QueueBounds bounds() {
        return node.options().bounds();
    }

    private <T> CompletableFuture<T> call(Function<LocalQueue, CompletableFuture<T>> attempt) {
        return node.directory().call(name, inNamespace(attempt));
    }

    private <T> Function<LocalQueue, CompletableFuture<T>> inNamespace(
            Function<LocalQueue, CompletableFuture<T>> attempt) {
        return live -> live.isIn(namespace) ? attempt.apply(live) : noSuchQueue();
    }

    private <T> CompletableFuture<T> noSuchQueue() {
        return CompletableFuture.failedFuture(QueueException.noSuchQueue(name));
    }

    /** Refuses wrong arguments before anything else, in the future that the caller gets. */
    private static <T> CompletableFuture<T> checked(Runnable check, Supplier<CompletableFuture<T>> call) {
        try {
            check.run();
        } catch (QueueException e) {
            return CompletableFuture.failedFuture(e);
        }
        return call.get();
    }

    private <T> CompletableFuture<T> counted(
            Function<LocalQueue, AtomicInteger> counter, Function<LocalQueue, CompletableFuture<T>> attempt) {
        return call(live -> {
            counter.apply(live).incrementAndGet();
            CompletableFuture<T> call = attempt.apply(live);
            Futures.whenDone(call, (value, failure) -> counter.apply(live).decrementAndGet());
            return call;
        });
    }

    /** Fails a call that takes longer than its caller allows. */
    private <T> CompletableFuture<T> within(Duration timeout, CompletableFuture<T> call) {
        if (call.isDone()) {
            return call;
        }
        ScheduledFuture<?> alarm = node.timer()
                .schedule(
                        Nanos.of(timeout),
                        () -> call.completeExceptionally(new QueueException(
                                QueueErrorCode.NETWORK_TIMEOUT,
                                "request timeout; not answered within " + GoDuration.format(timeout)
                                        + ", it may have been carried out")));
        Futures.whenDone(call, (value, failure) -> alarm.cancel(false));
        return call;
    }
}
