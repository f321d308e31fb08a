package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.Grant;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The lines of this JVM: one per key that somebody here waits for. A store that waits by itself keeps the lines instead. */
public final class WaitLines {
    private final LockStore store;
    private final Timer timer;
    private final Duration pollInterval;
    private final AtomicInteger count = new AtomicInteger();
    private final ConcurrentHashMap<LockKey, WaitLine> lines = new ConcurrentHashMap<>();
    private final StoreLine storeLine;
    private volatile boolean closed;

    public WaitLines(LockStore store, Timer timer, Duration pollInterval) {
        this.store = store;
        this.timer = timer;
        this.pollInterval = pollInterval;
        this.storeLine = new StoreLine(store, timer);
    }

    /** Whether who waits for {@code key} has to join at once: others are in line already, or the store keeps the line. */
    public boolean isWaitedFor(LockKey key) {
        return store.waits() || lines.containsKey(key);
    }

    /** How many of this JVM are in line, for whatever key. */
    public int count() {
        return count.get();
    }

    /** Joins the end of the line and leaves it after {@code wait} at the latest. */
    public Waiter join(AcquireAttempt attempt, Duration wait) {
        Waiter waiter = new Waiter(attempt, wait);
        count.incrementAndGet();
        Futures.whenDone(waiter.result(), (result, failure) -> count.decrementAndGet());
        if (store.waits()) {
            storeLine.join(waiter);
        } else {
            joinHere(waiter);
        }
        if (closed) {
            waiter.result().completeExceptionally(LockException.aborted());
        }
        return waiter;
    }

    private void joinHere(Waiter waiter) {
        WaitLine line;
        do {
            line = lines.computeIfAbsent(
                    waiter.attempt().key(), key -> new WaitLine(key, store, timer, pollInterval, this::gone));
        } while (!line.join(waiter));
    }

    /**
     * Ends a grant, and lets whoever is next in line here ask for it in the same step, as long as it has turns left.
     *
     * @param repeatFor how long a store that is reached over a network may repeat the release in the background
     */
    public CompletableFuture<ReleaseResult> release(LockStore through, Grant grant, Duration repeatFor) {
        WaitLine line = grant.turns() > 0 && through.handsOver() ? lines.get(grant.key()) : null;
        Waiter next = line == null ? null : line.askElsewhere();
        if (line == null || next == null) {
            return through.releaseFromHandle(grant.lockId(), repeatFor);
        }
        long sent = System.nanoTime();
        HandOver handOver;
        try {
            handOver = through.handOver(grant.lockId(), next.attempt());
        } catch (RuntimeException | Error e) {
            line.answer(next, sent, 0, null, e);
            throw e;
        }
        Futures.whenDone(handOver.acquired(), (result, failure) -> {
            line.answer(next, sent, grant.turns() - 1, result, failure);
            if (!(result instanceof Granted)) {
                Futures.whenDone(handOver.released(), (released, trouble) -> line.wake());
            }
        });
        return handOver.released();
    }

    private void gone(WaitLine line) {
        lines.remove(line.key(), line);
    }

    /** Ends all waiting as Aborted, and that of whoever comes later. */
    public void close() {
        closed = true;
        storeLine.abort();
        lines.values().forEach(WaitLine::abort);
    }
}
