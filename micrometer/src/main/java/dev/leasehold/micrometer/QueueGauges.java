package dev.leasehold.micrometer;

import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.admin.QueueGauge;
import dev.leasehold.queue.admin.QueueStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * How the queues stand, as far as this server knows by itself. Labels cost memory, so only so many queues of each namespace are shown,
 * the first by name: nobody's queues hide those of somebody else. Those that are left out are counted.
 */
final class QueueGauges {
    private static final int MOST_OF_NAMESPACE = 200;
    private static final int MOST_QUEUES = 1000;

    private final Supplier<List<QueueGauge>> queues;
    private final MultiGauge ready;
    private final MultiGauge waiting;
    private final MultiGauge inFlight;
    private final MultiGauge items;
    private final MultiGauge oldest;
    private final QueueDepths depths;
    private final DiscardMeters discards;
    private final AtomicInteger omitted = new AtomicInteger();

    QueueGauges(
            MeterRegistry registry,
            Supplier<List<QueueGauge>> queues,
            Supplier<List<DiscardedItems>> discarded,
            QueueDepths depths) {
        this.discards = new DiscardMeters(registry, discarded);
        this.queues = queues;
        this.depths = depths;
        Gauge.builder("leasehold.queues.omitted", omitted, AtomicInteger::get)
                .description("Queues that have no series of their own")
                .register(registry);
        this.items = gauge(registry, "items", "Items by state, counted a little while ago");
        this.oldest = gauge(registry, "oldest.ready.seconds", "Age of the oldest item that is ready");
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
        List<QueueGauge> all = queues.get();
        List<QueueGauge> shown = shown(all);
        omitted.set(all.size() - shown.size());
        show(ready, shown, QueueGauge::ready);
        show(waiting, shown, QueueGauge::leaseWaiting);
        show(inFlight, shown, QueueGauge::inFlight);
        showDepths(shown);
        discards.refresh();
    }

    /** Each namespace has the same share. */
    private static List<QueueGauge> shown(List<QueueGauge> all) {
        Map<String, List<QueueGauge>> namespaces = all.stream()
                .sorted(Comparator.comparing(QueueGauge::queue))
                .collect(Collectors.groupingBy(QueueGauge::namespace, TreeMap::new, Collectors.toList()));
        int share = Math.max(1, Math.min(MOST_OF_NAMESPACE, MOST_QUEUES / Math.max(1, namespaces.size())));
        return namespaces.values().stream()
                .flatMap(queues -> queues.stream().limit(share))
                .limit(MOST_QUEUES)
                .toList();
    }

    private void showDepths(List<QueueGauge> shown) {
        depths.retain(shown.stream().map(QueueGauge::queue).collect(Collectors.toSet()));
        List<Row<?>> counts = new ArrayList<>();
        List<Row<?>> ages = new ArrayList<>();
        for (QueueGauge queue : shown) {
            QueueStats stats = depths.of(queue.queue());
            if (stats != null) {
                counts.addAll(counts(stats));
                ages.add(Row.of(Tags.of("queue", stats.queue()), oldest(stats)));
            }
        }
        items.register(counts, true);
        oldest.register(ages, true);
    }

    private static List<Row<?>> counts(QueueStats stats) {
        long total = sum(stats, QueueStats.Partition::total);
        long leased = sum(stats, QueueStats.Partition::totalLeased);
        long scheduled = sum(stats, QueueStats.Partition::scheduled);
        return List.of(
                state(stats, "ready", total - leased),
                state(stats, "leased", leased),
                state(stats, "scheduled", scheduled));
    }

    private static Row<?> state(QueueStats stats, String state, long count) {
        return Row.of(Tags.of("queue", stats.queue(), "state", state), count);
    }

    private static long sum(QueueStats stats, ToLongFunction<QueueStats.Partition> count) {
        return stats.partitions().stream().mapToLong(count).sum();
    }

    /** In seconds; zero if nothing is ready. */
    private static double oldest(QueueStats stats) {
        return stats.partitions().stream()
                .map(QueueStats.Partition::oldestReady)
                .filter(Objects::nonNull)
                .mapToDouble(age -> age.toMillis() / 1000.0)
                .max()
                .orElse(0);
    }

    private static void show(MultiGauge gauge, List<QueueGauge> queues, ToDoubleFunction<QueueGauge> value) {
        gauge.register(
                queues.stream()
                        .map(queue -> Row.of(Tags.of("queue", queue.queue()), value.applyAsDouble(queue)))
                        .toList(),
                true);
    }
}
