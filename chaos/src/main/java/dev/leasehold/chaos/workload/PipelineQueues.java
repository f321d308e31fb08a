package dev.leasehold.chaos.workload;

import dev.leasehold.queue.QueueConfig;
import java.time.Duration;
import java.util.List;

/** The queues of the pipeline: with and without an end of attempts, with items that have little time, and where their dead go. */
final class PipelineQueues {
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration BRIEFLY = Duration.ofSeconds(4);

    private PipelineQueues() {}

    /** In the order in which they have to be created. */
    static List<QueueConfig> of(String prefix) {
        String dead = prefix + "dead";
        return List.of(
                queue(dead),
                queue(prefix + "strict").maxAttempts(3).deadQueue(dead).partitions(2),
                queue(prefix + "loose").partitions(3),
                queue(prefix + "brief").expireTimeout(BRIEFLY).deadQueue(dead));
    }

    private static QueueConfig queue(String name) {
        return QueueConfig.named(name).leaseTimeout(LEASE);
    }

    /** Those that are produced to. */
    static List<String> produced(String prefix) {
        return List.of(prefix + "strict", prefix + "loose", prefix + "brief");
    }
}
