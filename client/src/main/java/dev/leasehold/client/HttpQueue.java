package dev.leasehold.client;

import com.google.protobuf.Message;
import dev.leasehold.GoDuration;
import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ClearRequest;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.ItemListing;
import dev.leasehold.queue.ItemQueue;
import dev.leasehold.queue.LeaseRequest;
import dev.leasehold.queue.LeasedBatch;
import dev.leasehold.queue.LeasedItem;
import dev.leasehold.queue.ProduceRequest;
import dev.leasehold.queue.Produced;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.QueueStats;
import dev.leasehold.queue.RetryItem;
import dev.leasehold.queue.StoredItem;
import dev.leasehold.spi.Futures;
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

/** A queue behind a server. What is only read is repeated when a connection fails; nothing else is. */
final class HttpQueue implements ItemQueue {
    private final HttpQueues queues;
    private final QueueCalls calls;
    private final String name;

    HttpQueue(HttpQueues queues, QueueCalls calls, String name) {
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
    public CompletableFuture<Produced> produceAsync(ProduceRequest request) {
        return calls.call(() -> QueuePosts.produce(name, request), QueueReader::produced);
    }

    @Override
    public CompletableFuture<LeasedBatch> leaseAsync(LeaseRequest request) {
        return queues.leases().lease(name, request);
    }

    @Override
    public CompletableFuture<Void> completeAsync(int partition, List<ItemId> ids) {
        return calls.call(
                () -> {
                    QueueRules.ids(ids.size());
                    Message message = QueueCompleteRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .setRequestTimeout(GoDuration.format(queues.requestTimeout()))
                            .addAllIds(QueuePosts.texts(ids))
                            .build();
                    return QueuePosts.of("queue.complete", message);
                },
                QueueReader::done);
    }

    @Override
    public CompletableFuture<Void> retryAsync(int partition, List<RetryItem> items) {
        return calls.call(
                () -> {
                    QueueRules.retries(items.size());
                    return QueuePosts.retry(name, partition, items);
                },
                QueueReader::done);
    }

    @Override
    public CompletableFuture<Instant> extendAsync(int partition, List<ItemId> ids, Duration leaseTimeout) {
        return calls.call(
                () -> {
                    QueueRules.extension(ids.size(), leaseTimeout);
                    Message message = QueueExtendRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllIds(QueuePosts.texts(ids))
                            .setLeaseTimeout(leaseTimeout.isZero() ? "" : GoDuration.format(leaseTimeout))
                            .build();
                    return QueuePosts.of("queue.extend", message);
                },
                QueueReader::deadline);
    }

    @Override
    public CompletableFuture<Void> giveBackAsync(int partition, List<ItemId> ids) {
        return calls.call(
                () -> {
                    QueueRules.ids(ids.size());
                    Message message = QueueGiveBackRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllIds(QueuePosts.texts(ids))
                            .build();
                    return QueuePosts.of("queue.give_back", message);
                },
                QueueReader::done);
    }

    @Override
    public CompletableFuture<List<StoredItem>> listAsync(ItemListing listing) {
        Message message = QueuePosts.listing(name, listing);
        return calls.call(() -> QueuePosts.of("storage/items.list", message).repeatable(), QueueReader::listed);
    }

    @Override
    public CompletableFuture<List<StoredItem>> listScheduledAsync(ItemListing listing) {
        Message message = QueuePosts.listing(name, listing);
        return calls.call(() -> QueuePosts.of("storage/scheduled.list", message).repeatable(), QueueReader::listed);
    }

    @Override
    public CompletableFuture<List<StoredItem>> importItemsAsync(int partition, List<StoredItem> items) {
        return calls.call(
                () -> {
                    QueueRules.importBatch(items.size());
                    Message message = StorageItemsImportRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllItems(items.stream().map(QueuePosts::stored).toList())
                            .build();
                    return QueuePosts.of("storage/items.import", message);
                },
                QueueReader::imported);
    }

    @Override
    public CompletableFuture<Void> deleteAsync(int partition, List<ItemId> ids) {
        return calls.call(
                () -> {
                    QueueRules.deleteBatch(ids.size());
                    Message message = StorageItemsDeleteRequest.newBuilder()
                            .setQueueName(name)
                            .setPartition(partition)
                            .addAllIds(QueuePosts.texts(ids))
                            .build();
                    return QueuePosts.of("storage/items.delete", message);
                },
                QueueReader::done);
    }

    @Override
    public CompletableFuture<Void> clearAsync(ClearRequest request) {
        Message message = QueueClearRequest.newBuilder()
                .setQueueName(name)
                .setQueue(request.queue())
                .setScheduled(request.scheduled())
                .setDestructive(request.destructive())
                .build();
        return calls.call(() -> QueuePosts.of("queue.clear", message), QueueReader::done);
    }

    @Override
    public CompletableFuture<QueueStats> statsAsync() {
        Message message = QueueStatsRequest.newBuilder().setQueueName(name).build();
        return calls.call(() -> QueuePosts.of("queue.stats", message).repeatable(), QueueReader::stats);
    }

    @Override
    public CompletableFuture<Void> reloadAsync() {
        Message message = QueueReloadRequest.newBuilder().setQueueName(name).build();
        return calls.call(() -> QueuePosts.of("queue.reload", message), QueueReader::done);
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
