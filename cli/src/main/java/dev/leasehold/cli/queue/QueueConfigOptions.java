package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.queue.QueueConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a queue can be told, when it is created and later. What is not given stays as it is. */
final class QueueConfigOptions {
    @Option(
            names = "--lease-timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long a consumer has an item (new queues: 1m).")
    private @Nullable Duration leaseTimeout;

    @Option(
            names = "--expire-timeout",
            paramLabel = "DURATION",
            converter = ExpiryConverter.class,
            description = "How long an item may stay, or 'never' (new queues: never).")
    private @Nullable Duration expireTimeout;

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            description = "How many leases an item gets; 0 for any number (new queues: 0).")
    private @Nullable Integer maxAttempts;

    @Option(
            names = "--dead-queue",
            paramLabel = "QUEUE",
            description =
                    "Where items go that ran out of attempts or time (new queues with max attempts: <queue>-dead).")
    private @Nullable String deadQueue;

    @Option(names = "--discard-dead", description = "Delete items that ran out of attempts: no dead queue.")
    private boolean discardDead;

    @Option(names = "--reference", paramLabel = "TEXT", description = "Free text.")
    private @Nullable String reference;

    @Option(names = "--partitions", paramLabel = "N", description = "Into how many partitions (new queues: 1).")
    private @Nullable Integer partitions;

    boolean isEmpty() {
        return leaseTimeout == null
                && expireTimeout == null
                && maxAttempts == null
                && deadQueue == null
                && !discardDead
                && reference == null
                && partitions == null;
    }

    /** The queue with what was given. */
    QueueConfig applyTo(QueueConfig queue) {
        return new QueueConfig(
                queue.name(),
                queue.namespace(),
                leaseTimeout == null ? queue.leaseTimeout() : leaseTimeout,
                expireTimeout == null ? queue.expireTimeout() : expireTimeout,
                maxAttempts == null ? queue.maxAttempts() : maxAttempts,
                deadQueue == null ? presentDeadQueue(queue) : deadQueue,
                reference == null ? queue.reference() : reference,
                partitions == null ? queue.partitions() : partitions,
                discardDead);
    }

    private String presentDeadQueue(QueueConfig queue) {
        return discardDead ? "" : queue.deadQueue();
    }
}
