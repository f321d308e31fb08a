package dev.leasehold.queue;

import dev.leasehold.queue.admin.QueueBounds;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Queues} behaves. Immutable; start from {@link #DEFAULT}.
 *
 * @param lookInterval how often a node looks for what is due in queues where somebody waits, although it knows of nothing; five
 *     times that in other queues. What it knows of it does on time
 * @param listener receives what this node does with items; null for none
 * @param bounds how much one call may store or return
 */
public record QueueOptions(Duration lookInterval, @Nullable QueueListener listener, QueueBounds bounds) {
    public static final QueueOptions DEFAULT = new QueueOptions(Duration.ofSeconds(1), null, QueueBounds.DEFAULT);

    public QueueOptions {
        if (lookInterval.isNegative() || lookInterval.isZero()) {
            throw QueueException.invalidArgument("lookInterval must be positive, got " + lookInterval);
        }
    }

    public QueueOptions lookInterval(Duration lookInterval) {
        return new QueueOptions(lookInterval, listener, bounds);
    }

    public QueueOptions listener(QueueListener listener) {
        return new QueueOptions(lookInterval, listener, bounds);
    }

    /** Changes how much one call may store or return: {@code bounds(b -> b.partitions(5_000))}. */
    public QueueOptions bounds(UnaryOperator<QueueBounds> change) {
        return new QueueOptions(lookInterval, listener, change.apply(bounds));
    }
}
