package dev.leasehold.queue.internal;

import dev.leasehold.queue.DiscardReason;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.QueueEvents;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node has deleted although nobody has completed it: counted, told to the listener, and logged.
 *
 * <p>The first loss of a queue for a reason is logged at once. What follows within a while is logged together, when that while is
 * over or the node closes.
 */
public final class Discards {
    private static final Logger log = LoggerFactory.getLogger(Discards.class);
    private static final long LOG_NANOS = Duration.ofSeconds(10).toNanos();

    private final QueueEvents events;
    private final Map<Loss, Tally> tallies = new ConcurrentHashMap<>();

    Discards(QueueEvents events) {
        this.events = events;
    }

    private record Loss(String queue, DiscardReason reason) {}

    /** How many in all, and how many of them are not in the log yet. */
    static final class Tally {
        private long total;
        private long unlogged;
        private long nextLogNanos = System.nanoTime();

        synchronized void add(int count) {
            total += count;
            unlogged += count;
        }

        synchronized long total() {
            return total;
        }

        /** How many are to be logged now; zero if a line was logged not long ago. */
        synchronized long takeDue(long now, boolean isLast) {
            if (unlogged == 0 || (!isLast && now - nextLogNanos < 0)) {
                return 0;
            }
            long count = unlogged;
            unlogged = 0;
            nextLogNanos = now + LOG_NANOS;
            return count;
        }
    }

    /** Takes note of what a call on a queue has discarded. */
    void add(String queue, Discarded discarded) {
        add(queue, DiscardReason.EXPIRED, discarded.expired());
        add(queue, DiscardReason.ATTEMPTS, discarded.exhausted());
        add(queue, DiscardReason.REJECTED, discarded.rejected());
        add(queue, DiscardReason.DUPLICATE, discarded.duplicates());
    }

    private void add(String queue, DiscardReason reason, int count) {
        if (count == 0) {
            return;
        }
        Loss loss = new Loss(queue, reason);
        Tally tally = tallies.computeIfAbsent(loss, key -> new Tally());
        tally.add(count);
        log(tally.takeDue(System.nanoTime(), false), loss);
        events.discarded(new DiscardedItems(queue, reason, count));
    }

    /** One beat of the sweeper. */
    void beat(long now) {
        tallies.forEach((loss, tally) -> log(tally.takeDue(now, false), loss));
    }

    /** Logs what is left. */
    void close() {
        tallies.forEach(Discards::logLast);
    }

    /** A queue is gone: logs what is left of it, and counts it no more. */
    void forget(String queue) {
        for (DiscardReason reason : DiscardReason.values()) {
            Loss loss = new Loss(queue, reason);
            Tally tally = tallies.remove(loss);
            if (tally != null) {
                logLast(loss, tally);
            }
        }
    }

    private static void logLast(Loss loss, Tally tally) {
        log(tally.takeDue(System.nanoTime(), true), loss);
    }

    private static void log(long count, Loss loss) {
        if (count > 0) {
            log.warn("event=items_discarded queue={} reason={} count={}", loss.queue(), text(loss.reason()), count);
        }
    }

    private static String text(DiscardReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** What was discarded since this node began, by queue and reason. */
    public List<DiscardedItems> totals() {
        return tallies.entrySet().stream()
                .map(entry -> new DiscardedItems(
                        entry.getKey().queue(),
                        entry.getKey().reason(),
                        entry.getValue().total()))
                .toList();
    }
}
