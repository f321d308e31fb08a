package dev.leasehold.micrometer;

import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and times what happens to items, by queue. Tags cost memory: queues beyond the first so many share one name.
 */
final class QueueMeters implements QueueListener {
    static final int MOST_QUEUES = 1000;

    /** No queue can have this name: it has a space. */
    static final String OTHERS = "other queues";

    private final MeterRegistry registry;
    private final Set<String> queues = ConcurrentHashMap.newKeySet();

    QueueMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onProduced(String queue, int items, Duration elapsed) {
        operation(queue, "produce", "success", elapsed);
        items(queue, "produced", "Items that were produced", items);
    }

    @Override
    public void onLeased(String queue, int items, Duration elapsed) {
        operation(queue, "lease", items == 0 ? "empty" : "success", elapsed);
        items(queue, "leased", "Items that were leased", items);
    }

    @Override
    public void onCompleted(String queue, int items, Duration elapsed) {
        operation(queue, "complete", "success", elapsed);
        items(queue, "completed", "Items that were completed", items);
    }

    @Override
    public void onRetried(String queue, int items, Duration elapsed) {
        operation(queue, "retry", "success", elapsed);
        items(queue, "retried", "Items that went back to their queue", items);
    }

    @Override
    public void onDeadLettered(String queue, int items) {
        items(queue, "dead.lettered", "Items that went to the dead queue of their queue", items);
    }

    /** Counted by {@link DiscardMeters}, for listeners and without them. */
    @Override
    public void onDiscarded(DiscardedItems discarded) {}

    @Override
    public void onFailed(String queue, String operation, QueueException failure, Duration elapsed) {
        operation(queue, operation, "failure", elapsed);
    }

    @Override
    public void onHandled(String queue, int items, Duration elapsed) {
        handler(queue, "success", elapsed);
    }

    @Override
    public void onHandlerFailed(String queue, int items, Throwable failure, Duration elapsed) {
        handler(queue, "failure", elapsed);
    }

    private void operation(String queue, String operation, String outcome, Duration elapsed) {
        Timer.builder("leasehold.queue.operation")
                .description("Calls on queues, waiting included")
                .tag("queue", shown(queue))
                .tag("operation", operation)
                .tag("outcome", outcome)
                .register(registry)
                .record(elapsed);
    }

    private void handler(String queue, String outcome, Duration elapsed) {
        Timer.builder("leasehold.queue.handler")
                .description("Runs of handlers")
                .tag("queue", shown(queue))
                .tag("outcome", outcome)
                .register(registry)
                .record(elapsed);
    }

    private void items(String queue, String verb, String meaning, int items) {
        Counter.builder("leasehold.queue.items." + verb)
                .description(meaning)
                .tag("queue", shown(queue))
                .register(registry)
                .increment(items);
    }

    private String shown(String queue) {
        if (queues.contains(queue)) {
            return queue;
        }
        return queues.size() < MOST_QUEUES && queues.add(queue) ? queue : OTHERS;
    }
}
