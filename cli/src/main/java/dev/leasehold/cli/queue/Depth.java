package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.Futures;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueStats;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * How many items a queue has, over all its partitions.
 *
 * @param oldest the age of the oldest item that is ready
 */
record Depth(long ready, long leased, long scheduled, Optional<Duration> oldest) {
    /** How many queues are counted at the same time: each count is a statement for every partition. */
    private static final int AT_ONCE = 8;

    static Depth of(QueueStats stats) {
        List<QueueStats.Partition> partitions = stats.partitions();
        long leased =
                partitions.stream().mapToLong(QueueStats.Partition::totalLeased).sum();
        return new Depth(
                partitions.stream().mapToLong(QueueStats.Partition::total).sum() - leased,
                leased,
                partitions.stream().mapToLong(QueueStats.Partition::scheduled).sum(),
                partitions.stream()
                        .map(QueueStats.Partition::oldestReady)
                        .filter(Objects::nonNull)
                        .max(Comparator.naturalOrder()));
    }

    static Depth of(Queues queues, String name) {
        return of(queues.queue(name).admin().stats());
    }

    /** The depths of listed queues; a queue that was deleted since has none. */
    static Map<QueueInfo, Depth> of(Queues queues, List<QueueInfo> listed) {
        Map<QueueInfo, Depth> depths = new LinkedHashMap<>();
        for (int from = 0; from < listed.size(); from += AT_ONCE) {
            Map<QueueInfo, CompletableFuture<QueueStats>> calls = new LinkedHashMap<>();
            listed.subList(from, Math.min(from + AT_ONCE, listed.size()))
                    .forEach(info -> calls.put(
                            info, queues.queue(info.config().name()).admin().statsAsync()));
            calls.forEach((info, call) -> counted(call).ifPresent(stats -> depths.put(info, of(stats))));
        }
        return depths;
    }

    private static Optional<QueueStats> counted(CompletableFuture<QueueStats> call) {
        try {
            return Optional.of(Futures.await(call));
        } catch (QueueException e) {
            if (e.code() == QueueErrorCode.NO_SUCH_QUEUE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    long items() {
        return ready + leased + scheduled;
    }

    /** For questions and notes: {@code 12 items (10 ready, 2 leased, 0 scheduled)}. */
    String text() {
        return counted(items()) + " (" + ready + " ready, " + leased + " leased, " + scheduled + " scheduled)";
    }

    static String counted(long items) {
        return items + (items == 1 ? " item" : " items");
    }
}
