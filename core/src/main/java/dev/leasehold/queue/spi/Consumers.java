package dev.leasehold.queue.spi;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.ItemHandler;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.internal.ConsumerRuntime;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The consumers of one node, on any kind of {@link Queue}: they end with it. */
public final class Consumers implements AutoCloseable {
    private final Set<Consumer> consumers = ConcurrentHashMap.newKeySet();

    /**
     * Begins to consume.
     *
     * @param leaseTimeout tells the lease timeout of the queue as it is now; asked often, must not block or throw
     */
    public Consumer start(Queue queue, Supplier<Duration> leaseTimeout, ConsumeOptions options, ItemHandler handler) {
        consumers.removeIf(Consumer::isClosed);
        Consumer consumer = ConsumerRuntime.start(queue, leaseTimeout, options, handler);
        consumers.add(consumer);
        return consumer;
    }

    @Override
    public void close() {
        consumers.forEach(Consumer::close);
    }
}
