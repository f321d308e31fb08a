package dev.leasehold.micrometer;

import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exact depths of queues, as they were a little while ago.
 *
 * <p>Counting reads a queue's tables, so nobody waits for it: a scrape shows the last count, and begins a new one if the last is
 * old enough. A count that took long is repeated rarely, so that counting takes a hundredth of the time at most. Counts of queues that are
 * not shown any more, because they were deleted, are dropped.
 */
final class QueueDepths {
    private static final Logger log = LoggerFactory.getLogger(QueueDepths.class);
    private static final Duration LEAST_PAUSE = Duration.ofSeconds(10);
    private static final int SHARE = 100;

    private final Queues queues;
    private final LongSupplier nanoTime;
    private final Map<String, Depth> depths = new ConcurrentHashMap<>();

    QueueDepths(Queues queues, LongSupplier nanoTime) {
        this.queues = queues;
        this.nanoTime = nanoTime;
    }

    /** The last count of the queue, if there is one. */
    @Nullable QueueStats of(String queue) {
        Depth depth = depths.computeIfAbsent(queue, name -> new Depth(nanoTime.getAsLong()));
        if (depth.mayBegin(nanoTime.getAsLong())) {
            count(queue, depth);
        }
        return depth.stats;
    }

    /** Drops the counts of all other queues. One that is under way ends without effect. */
    void retain(Set<String> queues) {
        depths.keySet().retainAll(queues);
    }

    private void count(String queue, Depth depth) {
        long start = nanoTime.getAsLong();
        try {
            Futures.whenDone(queues.queue(queue).admin().statsAsync(), (stats, failure) -> {
                if (failure != null) {
                    log.debug("event=count_failed queue={}", queue, failure);
                }
                depth.end(stats, start, nanoTime.getAsLong());
            });
        } catch (RuntimeException e) {
            log.debug("event=count_failed queue={}", queue, e);
            depth.end(null, start, nanoTime.getAsLong());
        }
    }

    /** How many queues it keeps counts of. */
    int size() {
        return depths.size();
    }

    private static final class Depth {
        private @Nullable QueueStats stats;
        private boolean isCounting;
        private long nextNanos;

        Depth(long now) {
            this.nextNanos = now;
        }

        synchronized boolean mayBegin(long now) {
            if (isCounting || now - nextNanos < 0) {
                return false;
            }
            isCounting = true;
            return true;
        }

        synchronized void end(@Nullable QueueStats counted, long start, long now) {
            isCounting = false;
            stats = counted;
            nextNanos = now + Math.max(LEAST_PAUSE.toNanos(), SHARE * (now - start));
        }
    }
}
