package dev.leasehold.lock.internal;

import java.util.function.LongSupplier;

/**
 * Detects that the whole JVM was paused: by a beat that came late, or by a wall clock that went on while the monotonic clock
 * stood (a suspended machine).
 *
 * <p>Threads call {@link #stillFor()} when they come back from the pause, possibly before the next beat.
 */
final class PauseDetector {
    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private volatile Beat last;

    PauseDetector(LongSupplier nanoTime, LongSupplier wallMillis) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
        this.last = now();
    }

    /** How long ago the last beat was, in nanoseconds. */
    long stillFor() {
        Beat then = last;
        Beat now = now();
        return Math.max(now.nanos - then.nanos, (now.wallMs - then.wallMs) * 1_000_000);
    }

    void beat() {
        last = now();
    }

    private Beat now() {
        return new Beat(nanoTime.getAsLong(), wallMillis.getAsLong());
    }

    private record Beat(long nanos, long wallMs) {}
}
