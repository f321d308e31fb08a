package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the partition that takes the dead letters of another. */
final class DeadPartitions {
    private static final Logger log = LoggerFactory.getLogger(DeadPartitions.class);
    private static final long WARN_NANOS = Duration.ofMinutes(1).toNanos();

    private final QueueNode node;
    private final Map<String, Long> nextWarning = new ConcurrentHashMap<>();

    DeadPartitions(QueueNode node) {
        this.node = node;
    }

    /**
     * The partition of the dead queue in the same store. Null if the queue has no dead queue, or one that is not there any more: then
     * stores leave what should become a dead letter where it is, so that everything else goes on.
     */
    CompletableFuture<@Nullable PartitionRef> of(PartitionRef partition) {
        String dead = partition.queue().info().config().deadQueue();
        if (dead.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return node.directory()
                .get(dead)
                .thenCompose(live -> in(live, partition.store()))
                .exceptionally(failure -> {
                    QueueException known = QueueAwait.failure(failure);
                    if (known.code() != QueueErrorCode.NO_SUCH_QUEUE) {
                        throw new CompletionException(known);
                    }
                    warn(partition.queue().name(), dead);
                    return null;
                });
    }

    private void warn(String queue, String dead) {
        long now = System.nanoTime();
        nextWarning.compute(queue, (name, next) -> {
            if (next != null && now - next < 0) {
                return next;
            }
            log.warn("event=dead_queue_missing queue={} dead_queue={}", queue, dead);
            return now + WARN_NANOS;
        });
    }

    /** Dead letters stay in the store where they are; a dead queue that has no partition there gets one. */
    private CompletableFuture<@Nullable PartitionRef> in(LocalQueue live, String store) {
        QueueRecord record = live.record();
        int number = record.stores().indexOf(store);
        if (number >= 0) {
            return CompletableFuture.completedFuture(record.partition(number));
        }
        List<String> stores = new ArrayList<>(record.stores());
        stores.add(store);
        return node.records()
                .update(record, record.info().config(), stores)
                .thenCompose(updated -> updated.isPresent()
                        ? CompletableFuture.completedFuture(node.directory().learn(updated.get()))
                        : node.directory().read(record.name()))
                .thenCompose(current -> in(current, store));
    }
}
