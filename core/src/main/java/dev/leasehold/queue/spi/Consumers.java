package dev.leasehold.queue.spi;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.internal.consume.ConsumerRuntime;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The consumers of one node, on any kind of {@link ItemQueue}: they end with it. */
public final class Consumers implements AutoCloseable {
    private final Set<Consumer> consumers = ConcurrentHashMap.newKeySet();

    /**
     * Begins to consume.
     *
     * @param leaseTimeout tells the lease timeout of the queue as it is now; asked often, must not block or throw
     * @param turnSize how many items the handler works on at a time, at most
     */
    public Consumer start(
            ItemQueue queue,
            Supplier<Duration> leaseTimeout,
            ConsumeOptions options,
            int turnSize,
            BatchHandler<LeasedItem> handler) {
        consumers.removeIf(Consumer::isClosed);
        Consumer consumer = ConsumerRuntime.start(queue, leaseTimeout, options, turnSize, handler);
        consumers.add(consumer);
        return consumer;
    }

    @Override
    public void close() {
        consumers.forEach(Consumer::close);
    }
}
