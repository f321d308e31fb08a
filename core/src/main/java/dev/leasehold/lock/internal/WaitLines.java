package dev.leasehold.lock.internal;

import dev.leasehold.internal.Timer;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/** The lines of this JVM: one per key that somebody here waits for. */
public final class WaitLines {
    private final LockStore store;
    private final Timer timer;
    private final Duration pollInterval;
    private final ConcurrentHashMap<LockKey, WaitLine> lines = new ConcurrentHashMap<>();

    public WaitLines(LockStore store, Timer timer, Duration pollInterval) {
        this.store = store;
        this.timer = timer;
        this.pollInterval = pollInterval;
    }

    /** Whether somebody of this JVM is in line for {@code key}; who comes now must not overtake. */
    public boolean isWaitedFor(LockKey key) {
        return lines.containsKey(key);
    }

    /** Joins the end of the line and leaves it after {@code wait} at the latest. */
    public Waiter join(AcquireAttempt attempt, Duration wait) {
        Waiter waiter = new Waiter(attempt, wait);
        WaitLine line;
        do {
            line = lines.computeIfAbsent(
                    attempt.key(), key -> new WaitLine(key, store, timer, pollInterval, this::gone));
        } while (!line.join(waiter));
        return waiter;
    }

    private void gone(WaitLine line) {
        lines.remove(line.key(), line);
    }

    /** Ends all waiting as Aborted. */
    public void close() {
        lines.values().forEach(WaitLine::abort);
    }
}
