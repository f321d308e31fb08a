package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.DurationArgument;
import dev.leasehold.queue.QueueConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a queue can be told, when it is created and later. What is not given stays as it is. */
final class Settings {
    /** How much longer an item lives than a lease, if nobody says. */
    private static final int LEASES = 60;

    @Option(
            names = "--lease-timeout",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            description = "How long a consumer has an item (new queues: 1m).")
    private @Nullable Duration leaseTimeout;

    @Option(
            names = "--expire-timeout",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            description = "How long an item may stay (default: 60 times the lease timeout).")
    private @Nullable Duration expireTimeout;

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            description = "How many leases an item gets; 0 for any number (new queues: 0).")
    private @Nullable Integer maxAttempts;

    @Option(
            names = "--dead-queue",
            paramLabel = "QUEUE",
            description = "Where items go that ran out of attempts or time.")
    private @Nullable String deadQueue;

    @Option(names = "--reference", paramLabel = "TEXT", description = "Free text.")
    private @Nullable String reference;

    @Option(names = "--partitions", paramLabel = "N", description = "Into how many partitions (new queues: 1).")
    private @Nullable Integer partitions;

    boolean isEmpty() {
        return leaseTimeout == null
                && expireTimeout == null
                && maxAttempts == null
                && deadQueue == null
                && reference == null
                && partitions == null;
    }

    /** The queue with what was given. A new lease timeout alone changes the expire timeout with it. */
    QueueConfig applyTo(QueueConfig queue) {
        Duration lease = leaseTimeout == null ? queue.leaseTimeout() : leaseTimeout;
        return new QueueConfig(
                queue.name(),
                queue.namespace(),
                lease,
                expire(queue, lease),
                maxAttempts == null ? queue.maxAttempts() : maxAttempts,
                deadQueue == null ? queue.deadQueue() : deadQueue,
                reference == null ? queue.reference() : reference,
                partitions == null ? queue.partitions() : partitions);
    }

    private Duration expire(QueueConfig queue, Duration lease) {
        if (expireTimeout != null) {
            return expireTimeout;
        }
        return leaseTimeout == null ? queue.expireTimeout() : lease.multipliedBy(LEASES);
    }

    /** What a new queue is told before it is told anything else. */
    static QueueConfig fresh(String name, String namespace) {
        QueueConfig queue = QueueConfig.named(name);
        return queue.namespace(namespace).expireTimeout(queue.leaseTimeout().multipliedBy(LEASES));
    }
}
