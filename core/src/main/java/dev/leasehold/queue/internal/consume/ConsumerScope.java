package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the parts of one consumer share.
 *
 * @param leaseTimeout the queue's, as it is now
 * @param turnSize how many items a handler works on at a time, at most
 * @param ended told why the queue will serve nobody any more
 */
record ConsumerScope(
        ItemQueue queue,
        Supplier<Duration> leaseTimeout,
        ConsumeOptions options,
        int turnSize,
        ConsumerLoop loop,
        Consumer<QueueException> ended) {
    private static final long SHORTEST_INTERVAL = Duration.ofMillis(5).toNanos();

    /** How often leases are extended: two extensions may fail before a lease ends. */
    long extendIntervalNanos() {
        return Math.max(SHORTEST_INTERVAL, Nanos.of(leaseTimeout.get()) / 3);
    }
}
