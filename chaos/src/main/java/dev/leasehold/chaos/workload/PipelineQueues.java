package dev.leasehold.chaos.workload;

import dev.leasehold.queue.QueueConfig;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

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
                queue(prefix + "brief").expireTimeout(BRIEFLY).deadQueue(dead),
                queue(ConsumerWorker.queue(prefix))
                        .maxAttempts(8)
                        .deadQueue(dead)
                        .partitions(2),
                queue(patient(prefix)),
                queue(batches(prefix)),
                queue(megabytes(prefix)));
    }

    private static QueueConfig queue(String name) {
        return QueueConfig.named(name).leaseTimeout(LEASE);
    }

    /** The one that is mostly empty, with consumers who wait. */
    static String patient(String prefix) {
        return prefix + "patient";
    }

    /** The one whose items come and go a thousand at a time. */
    static String batches(String prefix) {
        return prefix + "batches";
    }

    /** The one with payloads of a megabyte. */
    static String megabytes(String prefix) {
        return prefix + "megabytes";
    }

    /** Any of those that are produced to. */
    static Function<Random, String> produced(String prefix) {
        List<String> names = List.of(prefix + "strict", prefix + "loose", prefix + "brief");
        return random -> names.get(random.nextInt(names.size()));
    }
}
