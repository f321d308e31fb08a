package dev.leasehold.memory;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node's way to the items of a {@link MemoryQueueStore}. */
final class MemoryItemStore implements ItemStore {
    private final MemoryQueueStore store;
    private final ReadyListeners listeners;
    private final List<ReadyListener> mine = new CopyOnWriteArrayList<>();

    MemoryItemStore(MemoryQueueStore store, ReadyListeners listeners) {
        this.store = store;
        this.listeners = listeners;
    }

    @Override
    public CompletableFuture<List<ItemId>> produce(PartitionRef partition, List<NewItem> items) {
        return ask(partition, at -> at.produce(items));
    }

    @Override
    public CompletableFuture<Leased> lease(PartitionRef partition, Portion portion) {
        return ask(partition, at -> at.lease(partition.number(), portion));
    }

    @Override
    public CompletableFuture<Void> complete(PartitionRef partition, List<ItemId> ids) {
        return run(partition, at -> at.complete(ids));
    }

    @Override
    public CompletableFuture<Retried> retry(
            PartitionRef partition, @Nullable PartitionRef dead, List<RetryItem> items) {
        return store.call(() -> redelivery(partition, dead).retry(items));
    }

    @Override
    public CompletableFuture<Instant> extend(PartitionRef partition, List<ItemId> ids, Duration leaseTimeout) {
        return ask(partition, at -> at.extend(ids, leaseTimeout));
    }

    @Override
    public CompletableFuture<Void> giveBack(PartitionRef partition, List<ItemId> ids) {
        return run(partition, at -> at.giveBack(ids));
    }

    @Override
    public CompletableFuture<List<StoredItem>> list(
            PartitionRef partition, boolean scheduled, @Nullable ItemId pivot, Portion portion) {
        return ask(partition, at -> Inventory.list(at.partition(), scheduled, pivot, portion));
    }

    @Override
    public CompletableFuture<List<StoredItem>> importItems(PartitionRef partition, List<StoredItem> items) {
        return ask(partition, at -> at.importItems(items));
    }

    @Override
    public CompletableFuture<Void> delete(PartitionRef partition, List<ItemId> ids) {
        return run(partition, at -> at.delete(ids));
    }

    @Override
    public CompletableFuture<Void> clear(PartitionRef partition, ClearRequest request) {
        return run(partition, at -> at.clear(request));
    }

    @Override
    public CompletableFuture<Counts> count(PartitionRef partition) {
        return ask(partition, at -> Inventory.count(at.partition(), at.now()));
    }

    @Override
    public CompletableFuture<List<Outlook>> look(List<PartitionRef> partitions) {
        return store.call(() -> partitions.stream()
                .map(this::at)
                .map(at -> Inventory.look(at.partition(), at.now()))
                .toList());
    }

    @Override
    public CompletableFuture<Swept> sweep(PartitionRef partition, @Nullable PartitionRef dead) {
        return store.call(() -> redelivery(partition, dead).sweep());
    }

    private <T> CompletableFuture<T> ask(PartitionRef partition, Function<Transitions, T> transition) {
        return store.call(() -> transition.apply(at(partition)));
    }

    private CompletableFuture<Void> run(PartitionRef partition, Consumer<Transitions> transition) {
        return store.call(() -> {
            transition.accept(at(partition));
            return null;
        });
    }

    private Transitions at(PartitionRef ref) {
        StoredQueue queue = store.current(ref);
        return new Transitions(queue.partition(ref), queue.record().info().config(), store.now());
    }

    private Redelivery redelivery(PartitionRef ref, @Nullable PartitionRef dead) {
        Transitions at = at(ref);
        return new Redelivery(at, dead == null ? null : deadQueue(dead));
    }

    private DeadQueue deadQueue(PartitionRef ref) {
        StoredQueue queue = store.current(ref);
        return new DeadQueue(queue.partition(ref), queue.record().info().config());
    }

    @Override
    public void publish(List<PartitionRef> partitions) {
        listeners.publish(partitions);
    }

    @Override
    public void subscribe(ReadyListener listener) {
        mine.add(listener);
        listeners.add(listener);
    }

    @Override
    public void close() {
        listeners.removeAll(mine);
    }
}
