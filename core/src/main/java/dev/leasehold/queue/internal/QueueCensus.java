package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.spi.ItemStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How many items a queue has, partition by partition, and how many calls are at it on this node. */
final class QueueCensus {
    private QueueCensus() {}

    static CompletableFuture<QueueStats> of(String queue, LocalQueue live, Partitions partitions) {
        return partitions
                .everywhere(
                        live,
                        (store, ref) -> store.count(ref)
                                .handle((counts, failure) -> partition(live, ref.number(), counts, failure)))
                .thenApply(counted -> stats(queue, live, counted));
    }

    private static QueueStats stats(String queue, LocalQueue live, List<QueueStats.Partition> partitions) {
        int waiting = live.waiting();
        return new QueueStats(
                queue, live.producing.get(), waiting, live.completing.get(), live.inFlight.get() + waiting, partitions);
    }

    /** Where there are several stores, a partition whose store cannot be asked is shown as failing, its numbers not known. */
    private static QueueStats.Partition partition(
            LocalQueue live, int number, ItemStore.@Nullable Counts counts, @Nullable Throwable failure) {
        if (counts != null) {
            return new QueueStats.Partition(
                    number,
                    counts.total(),
                    counts.leased(),
                    counts.scheduled(),
                    live.storeOf(number).failures(),
                    counts.averageAge(),
                    counts.averageLeasedAge(),
                    counts.oldestReady());
        }
        QueueException known = QueueAwait.failure(failure == null ? new IllegalStateException("no counts") : failure);
        boolean othersAreWell = Set.copyOf(live.record().stores()).size() > 1;
        if (!StoreState.isTrouble(known) || !othersAreWell) {
            throw known;
        }
        int failures = Math.max(1, live.storeOf(number).failures());
        return new QueueStats.Partition(number, 0, 0, 0, failures, Duration.ZERO, Duration.ZERO, null);
    }
}
