package dev.leasehold.server.observe;

import dev.leasehold.queue.DiscardReason;
import dev.leasehold.queue.DiscardedItems;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Items that this server has discarded, by queue and reason. Each of the first so many pairs has a counter of its own; labels cost
 * memory. The others are counted together, and the log has them all.
 */
final class DiscardMeters {
    private static final int MOST = 600;

    private final MeterRegistry registry;
    private final Supplier<List<DiscardedItems>> discarded;
    private final Map<Pair, Long> counts = new ConcurrentHashMap<>();
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
        long others = 0;
        for (DiscardedItems items : discarded.get()) {
            Pair pair = new Pair(items.queue(), items.reason());
            boolean isNew = !counts.containsKey(pair);
            if (!isNew || counts.size() < MOST) {
                counts.put(pair, items.count());
            } else {
                others += items.count();
            }
            if (isNew && counts.containsKey(pair)) {
                register(pair);
            }
        }
        omitted = others;
    }

    private void register(Pair pair) {
        FunctionCounter.builder("leasehold.queue.items.discarded", this, here -> here.count(pair))
                .description("Items that were deleted although nobody has completed them, for want of a dead queue")
                .tag("queue", pair.queue())
                .tag("reason", pair.reason().name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private double count(Pair pair) {
        return counts.getOrDefault(pair, 0L);
    }
}
