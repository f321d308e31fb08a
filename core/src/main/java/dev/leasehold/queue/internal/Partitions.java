package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** The way to the partitions of a queue: to one of them or to all, each in its own store. */
final class Partitions {
    private final Directory directory;
    private final String queue;
    private final boolean inCallerThread;

    Partitions(Directory directory, String queue, boolean inCallerThread) {
        this.directory = directory;
        this.queue = queue;
        this.inCallerThread = inCallerThread;
    }

    /** Does something at one partition, unless its store is known to be away. */
    <T> CompletableFuture<T> at(
            LocalQueue live, int partition, BiFunction<ItemStore, PartitionRef, CompletableFuture<T>> call) {
        if (!live.hasPartition(partition)) {
            return with(partition).thenCompose(current -> at(current, partition, call));
        }
        StoreState store = live.storeOf(partition);
        return store.isFailing()
                ? CompletableFuture.failedFuture(store.unavailable(partition))
                : on(live, partition, call);
    }

    /** The queue as it is now, with a partition that this node does not know: another may have added it. */
    CompletableFuture<LocalQueue> with(int partition) {
        return directory.read(queue).thenApply(current -> {
            QueueRules.partition(partition, current.record().stores().size());
            return current;
        });
    }

    /** Does something at one partition, and counts it while it is under way. */
    <T> CompletableFuture<T> on(
            LocalQueue live, int partition, BiFunction<ItemStore, PartitionRef, CompletableFuture<T>> call) {
        StoreState store = live.storeOf(partition);
        live.inFlight.incrementAndGet();
        CompletableFuture<T> result = store.call(
                () -> call.apply(store.items(inCallerThread), live.record().partition(partition)));
        Futures.whenDone(result, (value, failure) -> live.inFlight.decrementAndGet());
        return result;
    }

    /** Does something at every partition; fails if it failed anywhere. */
    <T> CompletableFuture<List<T>> everywhere(
            LocalQueue live, BiFunction<ItemStore, PartitionRef, CompletableFuture<T>> call) {
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (int number = 0; number < live.record().stores().size(); number++) {
            all.add(on(live, number, call));
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }
}
