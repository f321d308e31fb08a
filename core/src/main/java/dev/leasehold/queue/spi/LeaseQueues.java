package dev.leasehold.queue.spi;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueGauge;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.internal.QueueAdmin;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.queue.internal.QueueHandle;
import dev.leasehold.queue.internal.QueueNode;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Queues on any stores: deals, waits, wakes and sweeps; the stores do the transitions. */
public class LeaseQueues implements Queues {
    private final QueueNode node;
    private final QueueAdmin admin;
    private final Consumers consumers;

    /**
     * A node.
     *
     * @param records where queues are written down
     * @param stores where their partitions lie; closed with this
     */
    public LeaseQueues(QueueRecords records, List<NamedStore> stores, QueueOptions options) {
        this.node = new QueueNode(records, stores, options);
        this.admin = new QueueAdmin(node);
        this.consumers = new Consumers(node.events());
    }

    @Override
    public CompletableFuture<QueueInfo> createAsync(QueueConfig config) {
        return QueueAwait.plain(() -> {
            admin.checkPartitions(config); // before its dead queue is created
            return DeadQueues.create(config, admin::get, admin::create, this::deleteAsync)
                    .thenApply(QueueRecord::info);
        });
    }

    @Override
    public CompletableFuture<QueueInfo> infoAsync(String name) {
        return QueueAwait.plain(() -> {
            QueueRules.lookup(name);
            return admin.get(name).thenApply(QueueRecord::info);
        });
    }

    @Override
    public CompletableFuture<List<QueueInfo>> listAsync(QueueListing listing) {
        return QueueAwait.plain(() -> admin.list(listing)
                .thenApply(page -> page.stream().map(QueueRecord::info).toList()));
    }

    @Override
    public CompletableFuture<QueueInfo> updateAsync(QueueUpdate update) {
        return QueueAwait.plain(() -> admin.update(update).thenApply(QueueRecord::info));
    }

    @Override
    public CompletableFuture<Void> deleteAsync(String name) {
        return QueueAwait.plain(() -> admin.delete(name));
    }

    @Override
    public ItemQueue queue(String name) {
        QueueRules.lookup(name);
        return new QueueHandle(node, name, this::start);
    }

    /** Starts a consumer that ends with this node. */
    protected Consumer start(ItemQueue queue, ConsumeOptions options, int turnSize, BatchHandler<LeasedItem> handler) {
        return consumers.start(queue, () -> leaseTimeout(queue.name()), options, turnSize, handler);
    }

    private Duration leaseTimeout(String name) {
        try {
            return node.directory()
                    .get(name)
                    .getNow(null)
                    .record()
                    .info()
                    .config()
                    .leaseTimeout();
        } catch (RuntimeException e) {
            return Duration.ofSeconds(1);
        }
    }

    /** Fails if the records of queues cannot be written, for example on a standby. Writes nothing. */
    public CompletableFuture<Void> checkWritableAsync() {
        return QueueAwait.plain(admin::checkWritable);
    }

    /** How the queues stand that this node has had to do with, as far as it knows without asking a store. */
    public List<QueueGauge> gauges() {
        return node.directory().gauges();
    }

    /** What this node has discarded since it began, by queue and reason. */
    public List<DiscardedItems> discarded() {
        return node.discards().totals();
    }

    /** What this node is made of, for engines that add verbs of their own. */
    protected QueueNode node() {
        return node;
    }

    @Override
    public void close() {
        consumers.close();
        node.close();
    }
}
