package dev.leasehold.client;

import com.google.protobuf.Message;
import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemAdmin;
import dev.leasehold.queue.admin.ItemListing;
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
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.wire.QueueClearRequest;
import dev.leasehold.wire.QueueCompleteRequest;
import dev.leasehold.wire.QueueExtendRequest;
import dev.leasehold.wire.QueueGiveBackRequest;
import dev.leasehold.wire.QueueReloadRequest;
import dev.leasehold.wire.QueueStatsRequest;
import dev.leasehold.wire.StorageItemsDeleteRequest;
import dev.leasehold.wire.StorageItemsImportRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A queue of a server. Reads are retried when a connection fails, other calls are not. */
final class HttpQueue implements ItemQueue, ItemAdmin {
    private final HttpQueues queues;
    private final QueueApi calls;
    private final String name;

    HttpQueue(HttpQueues queues, QueueApi calls, String name) {
        this.queues = queues;
        this.calls = calls;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<String> namespaceAsync() {
        return Futures.unwrapped(
                queues.infoAsync(name).thenApply(info -> info.config().namespace()));
    }

    @Override
    public ItemAdmin admin() {
        return this;
    }

    @Override
    public CompletableFuture<Produced> produceAsync(ProduceRequest request) {
        long start = System.nanoTime();
        CompletableFuture<Produced> call = calls.call(() -> QueueCalls.produce(name, request), QueueDecoder::produced);
        return queues.events().produce(name, request.items().size(), start, call);
    }

    @Override
    public CompletableFuture<LeasedBatch> leaseAsync(LeaseRequest request) {
        long start = System.nanoTime();
        return queues.events().lease(name, start, queues.leases().lease(name, request));
    }

    @Override
    public CompletableFuture<Void> completeAsync(int partition, List<ItemId> ids) {
        long start = System.nanoTime();
        CompletableFuture<Void> call = calls.call(
                () -> {
                    QueueRules.ids(ids.size());
                    Message message = QueueCompleteRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .setRequestTimeout(GoDuration.format(queues.requestTimeout()))
                            .addAllIds(QueueCalls.texts(ids))
                            .build();
                    return QueueCalls.of("queue.complete", message);
                },
                QueueDecoder::done);
        return queues.events().complete(name, ids.size(), start, call);
    }

    @Override
    public CompletableFuture<Void> retryAsync(int partition, List<RetryItem> items) {
        long start = System.nanoTime();
        int retried = (int) items.stream().filter(item -> !item.dead()).count();
        CompletableFuture<Void> call = calls.call(
                () -> {
                    QueueRules.retries(items.size());
                    return QueueCalls.retry(name, partition, items);
                },
                QueueDecoder::done);
        return queues.events().retry(name, retried, start, call);
    }

    @Override
    public CompletableFuture<Instant> extendAsync(int partition, List<ItemId> ids, Duration leaseTimeout) {
        return calls.call(
                () -> {
                    QueueRules.extension(ids.size(), leaseTimeout);
                    Message message = QueueExtendRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllIds(QueueCalls.texts(ids))
                            .setLeaseTimeout(leaseTimeout.isZero() ? "" : GoDuration.format(leaseTimeout))
                            .build();
                    return QueueCalls.of("queue.extend", message);
                },
                QueueDecoder::deadline);
    }

    @Override
    public CompletableFuture<Void> giveBackAsync(int partition, List<ItemId> ids) {
        return calls.call(
                () -> {
                    QueueRules.ids(ids.size());
                    Message message = QueueGiveBackRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllIds(QueueCalls.texts(ids))
                            .build();
                    return QueueCalls.of("queue.give_back", message);
                },
                QueueDecoder::done);
    }

    @Override
    public CompletableFuture<List<StoredItem>> listAsync(ItemListing listing) {
        Message message = QueueCalls.listing(name, listing);
        return calls.call(() -> QueueCalls.of("storage/items.list", message).repeatable(), QueueDecoder::listed);
    }

    @Override
    public CompletableFuture<List<StoredItem>> listScheduledAsync(ItemListing listing) {
        Message message = QueueCalls.listing(name, listing);
        return calls.call(() -> QueueCalls.of("storage/scheduled.list", message).repeatable(), QueueDecoder::listed);
    }

    @Override
    public CompletableFuture<List<StoredItem>> importItemsAsync(int partition, List<StoredItem> items) {
        return calls.call(
                () -> {
                    QueueRules.importBatch(items.size());
                    Message message = StorageItemsImportRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllItems(items.stream().map(QueueCalls::stored).toList())
                            .build();
                    return QueueCalls.of("storage/items.import", message);
                },
                QueueDecoder::imported);
    }

    @Override
    public CompletableFuture<Void> deleteAsync(int partition, List<ItemId> ids) {
        return calls.call(
                () -> {
                    QueueRules.deleteBatch(ids.size());
                    Message message = StorageItemsDeleteRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllIds(QueueCalls.texts(ids))
                            .build();
                    return QueueCalls.of("storage/items.delete", message);
                },
                QueueDecoder::done);
    }

    @Override
    public CompletableFuture<Void> clearAsync(ClearRequest request) {
        Message message = QueueClearRequest.newBuilder()
                .setQueueName(name)
                .setQueue(request.queue())
                .setScheduled(request.scheduled())
                .setDestructive(request.destructive())
                .build();
        return calls.call(() -> QueueCalls.of("queue.clear", message), QueueDecoder::done);
    }

    @Override
    public CompletableFuture<QueueStats> statsAsync() {
        Message message = QueueStatsRequest.newBuilder().setQueueName(name).build();
        return calls.call(() -> QueueCalls.of("queue.stats", message).repeatable(), QueueDecoder::stats);
    }

    @Override
    public CompletableFuture<Void> reloadAsync() {
        Message message = QueueReloadRequest.newBuilder().setQueueName(name).build();
        return calls.call(() -> QueueCalls.of("queue.reload", message), QueueDecoder::done);
    }

    @Override
    public Consumer consume(ConsumeOptions options, Handler<LeasedItem> handler) {
        return queues.start(this, options, 1, works -> handler.handle(works.get(0)));
    }

    @Override
    public Consumer consumeBatches(ConsumeOptions options, BatchHandler<LeasedItem> handler) {
        return queues.start(this, options, options.batchSize(), handler);
    }
}
