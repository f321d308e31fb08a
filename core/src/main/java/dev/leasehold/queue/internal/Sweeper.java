package dev.leasehold.queue.internal;

import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The beat of a node: it has every queue look after itself, and finds the queues that nobody here has used yet. */
final class Sweeper {
    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
    private static final long BEAT_NANOS = Duration.ofMillis(20).toNanos();
    private static final int LOOKS_PER_DISCOVERY = 5;
    private static final int PAGE = 1000;

    private final QueueNode node;
    private long nextDiscovery = System.nanoTime();
    private boolean discovering;

    Sweeper(QueueNode node) {
        this.node = node;
    }

    void start() {
        node.timer().every(BEAT_NANOS, this::beat);
    }

    private void beat() {
        if (node.isClosing()) {
            return;
        }
        long now = System.nanoTime();
        if (now - nextDiscovery >= 0 && !discovering) {
            discovering = true;
            discover("", new HashSet<>());
        }
        for (LocalQueue queue : node.directory().all()) {
            beat(queue, now);
        }
        node.discards().beat(now);
    }

    /** A queue in trouble, such as one with a partition in a store that is not configured here, is in nobody else's way. */
    private static void beat(LocalQueue queue, long now) {
        try {
            queue.beat(now);
        } catch (RuntimeException | Error e) {
            log.debug("event=beat_failed queue={}", queue.name(), e);
        }
    }

    /** Reads all records, a page at a time. */
    private void discover(String after, Set<String> seen) {
        CompletableFuture<List<QueueRecord>> reading =
                QueueAwait.guarded(() -> node.records().all(after, PAGE));
        Futures.whenDone(node.pending().track(reading), (page, failure) -> {
            boolean isOver = true;
            try {
                if (failure != null) {
                    log.debug("event=discovery_failed", failure);
                } else if (page.isEmpty() || node.isClosing()) {
                    forgetOthers(seen);
                } else {
                    learn(page, seen);
                    discover(page.get(page.size() - 1).name(), seen);
                    isOver = false;
                }
            } finally {
                if (isOver) {
                    rest();
                }
            }
        });
    }

    private void learn(List<QueueRecord> page, Set<String> seen) {
        for (QueueRecord record : page) {
            seen.add(record.name());
            node.directory().learn(record);
        }
    }

    /** What was not on any page may be gone, or new: a read says which. */
    private void forgetOthers(Set<String> seen) {
        for (LocalQueue queue : node.directory().all()) {
            if (!seen.contains(queue.name())) {
                Futures.logFailure(node.directory().read(queue.name()), log, "queue_not_read");
            }
        }
    }

    private void rest() {
        nextDiscovery = System.nanoTime() + Nanos.of(node.options().lookInterval()) * LOOKS_PER_DISCOVERY;
        discovering = false;
    }
}
