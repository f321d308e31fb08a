package dev.leasehold.queue;

import java.time.Duration;

/**
 * How a {@link Queues} behaves. Immutable; start from {@link #DEFAULT}.
 *
 * @param lookInterval how often a node looks for what is due in queues where somebody waits, although it knows of nothing; five
 *     times that in other queues. What it knows of it does on time
 */
public record QueueOptions(Duration lookInterval) {
    public static final QueueOptions DEFAULT = new QueueOptions(Duration.ofSeconds(1));

    public QueueOptions {
        if (lookInterval.isNegative() || lookInterval.isZero()) {
            throw QueueException.invalidArgument("lookInterval must be positive, got " + lookInterval);
        }
    }

    public QueueOptions lookInterval(Duration lookInterval) {
        return new QueueOptions(lookInterval);
    }
}
