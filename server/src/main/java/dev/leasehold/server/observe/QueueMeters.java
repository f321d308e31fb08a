package dev.leasehold.server.observe;

import dev.leasehold.queue.QueueGauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** How the queues stand, as far as this server knows by itself. Only so many of them are shown: labels cost memory. */
final class QueueMeters {
    private static final int MOST_QUEUES = 200;

    private final Supplier<List<QueueGauge>> queues;
    private final MultiGauge ready;
    private final MultiGauge waiting;
    private final MultiGauge inFlight;

    QueueMeters(MeterRegistry registry, Supplier<List<QueueGauge>> queues) {
        this.queues = queues;
        this.ready = gauge(registry, "ready", "Items that are ready, when this server last looked");
        this.waiting = gauge(registry, "lease.waiters", "Lease requests of this server that wait for items");
        this.inFlight = gauge(registry, "calls.active", "Calls of this server that are not answered yet");
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String meaning) {
        return MultiGauge.builder("leasehold.queue." + name)
                .description(meaning)
                .register(registry);
    }

    /** Brings them up to date; to be called before a scrape. */
    synchronized void refresh() {
        List<QueueGauge> shown = queues.get().stream()
                .sorted(Comparator.comparing(QueueGauge::queue))
                .limit(MOST_QUEUES)
                .toList();
        show(ready, shown, QueueGauge::ready);
        show(waiting, shown, QueueGauge::leaseWaiting);
        show(inFlight, shown, QueueGauge::inFlight);
    }

    private static void show(MultiGauge gauge, List<QueueGauge> queues, ToDoubleFunction<QueueGauge> value) {
        gauge.register(
                queues.stream()
                        .map(queue -> Row.of(Tags.of("queue", queue.queue()), value.applyAsDouble(queue)))
                        .toList(),
                true);
    }
}
