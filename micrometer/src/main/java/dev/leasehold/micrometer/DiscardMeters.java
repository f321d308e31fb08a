package dev.leasehold.micrometer;

import dev.leasehold.queue.DiscardReason;
import dev.leasehold.queue.DiscardedItems;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Items that this server has discarded, by queue and reason. Each of the first so many pairs has a counter of its own; labels cost
 * memory. The others are counted together, and the log has them all. The counter of a queue that was deleted is removed.
 */
final class DiscardMeters {
    private static final int MOST = 600;

    private final MeterRegistry registry;
    private final Supplier<List<DiscardedItems>> discarded;
    private final Map<Pair, Long> counts = new ConcurrentHashMap<>();
    private final Map<Pair, Meter> meters = new HashMap<>();
    private volatile long omitted;

    DiscardMeters(MeterRegistry registry, Supplier<List<DiscardedItems>> discarded) {
        this.registry = registry;
        this.discarded = discarded;
        FunctionCounter.builder("leasehold.queue.items.discarded.omitted", this, here -> here.omitted)
                .description("The same, of queues that have no series of their own")
                .register(registry);
    }

    private record Pair(String queue, DiscardReason reason) {}

    /** Brings them up to date; to be called before a scrape. */
    void refresh() {
        List<DiscardedItems> all = discarded.get();
        retain(all.stream().map(DiscardMeters::pair).collect(Collectors.toSet()));
        long others = 0;
        for (DiscardedItems items : all) {
            Pair pair = pair(items);
            if (counts.containsKey(pair) || counts.size() < MOST) {
                counts.put(pair, items.count());
                meters.computeIfAbsent(pair, this::register);
            } else {
                others += items.count();
            }
        }
        omitted = others;
    }

    private static Pair pair(DiscardedItems items) {
        return new Pair(items.queue(), items.reason());
    }

    private void retain(Set<Pair> known) {
        counts.keySet().retainAll(known);
        meters.entrySet().removeIf(entry -> {
            boolean isGone = !known.contains(entry.getKey());
            if (isGone) {
                registry.remove(entry.getValue());
            }
            return isGone;
        });
    }

    private Meter register(Pair pair) {
        return FunctionCounter.builder("leasehold.queue.items.discarded", this, here -> here.count(pair))
                .description("Items that were deleted although nobody has completed them, for want of a dead queue")
                .tag("queue", pair.queue())
                .tag("reason", pair.reason().name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private double count(Pair pair) {
        return counts.getOrDefault(pair, 0L);
    }
}
