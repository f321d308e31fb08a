package dev.leasehold.queue.admin;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts of a queue. The waiting counts are this node's.
 *
 * @param produceWaiting produce calls under way
 * @param leaseWaiting lease requests that wait for items
 * @param completeWaiting complete calls under way
 * @param inFlight calls not yet answered
 */
public record QueueStats(
        String queue,
        int produceWaiting,
        int leaseWaiting,
        int completeWaiting,
        int inFlight,
        List<Partition> partitions) {
    /**
     * How one partition stands.
     *
     * @param total items, leased or not, that are not scheduled
     * @param totalLeased those of them that are leased
     * @param scheduled items that become ready later
     * @param failures failed calls since the last that went well; zero means healthy
     * @param averageAge of the items in {@code total}
     * @param averageLeasedAge time left until their lease deadline, on average
     * @param oldestReady the age of the oldest item that is ready; null if there is none, or if the server is older
     */
    public record Partition(
            int partition,
            long total,
            long totalLeased,
            long scheduled,
            int failures,
            Duration averageAge,
            Duration averageLeasedAge,
            @Nullable Duration oldestReady) {}
}
