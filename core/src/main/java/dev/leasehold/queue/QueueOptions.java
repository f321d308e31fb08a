package dev.leasehold.queue;

import dev.leasehold.queue.admin.QueueBounds;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How a {@link Queues} behaves. Immutable; start from {@link #DEFAULT}. */
public final class QueueOptions {
    /** A poll every second, no listener, and the default bounds. */
    public static final QueueOptions DEFAULT = new QueueOptions(Duration.ofSeconds(1), null, QueueBounds.DEFAULT);

    private final Duration lookInterval;
    private final @Nullable QueueListener listener;
    private final QueueBounds bounds;

    private QueueOptions(Duration lookInterval, @Nullable QueueListener listener, QueueBounds bounds) {
        if (lookInterval.isNegative() || lookInterval.isZero()) {
            throw QueueException.invalidArgument("lookInterval must be positive, got " + lookInterval);
        }
        this.lookInterval = lookInterval;
        this.listener = listener;
        this.bounds = bounds;
    }

    /** How often a node polls queues where somebody waits. */
    public Duration lookInterval() {
        return lookInterval;
    }

    /** What receives what this node does with items; null: nothing. */
    public @Nullable QueueListener listener() {
        return listener;
    }

    /** How much one call may store or return. */
    public QueueBounds bounds() {
        return bounds;
    }

    /**
     * How often a node polls queues where somebody waits, for what it was not notified of; a second by default. Other queues are polled
     * five times less often.
     */
    public QueueOptions lookInterval(Duration lookInterval) {
        return new QueueOptions(lookInterval, listener, bounds);
    }

    /** Reports to {@code listener} what this node does with items. */
    public QueueOptions listener(QueueListener listener) {
        return new QueueOptions(lookInterval, listener, bounds);
    }

    /** Changes how much one call may store or return: {@code bounds(b -> b.partitions(5_000))}. */
    public QueueOptions bounds(UnaryOperator<QueueBounds> change) {
        return new QueueOptions(lookInterval, listener, change.apply(bounds));
    }

    @Override
    public String toString() {
        return "QueueOptions[lookInterval=" + lookInterval + ", listener=" + listener + ", bounds=" + bounds + "]";
    }
}
