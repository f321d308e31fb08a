package dev.leasehold.spi;

import java.time.Duration;

/** Durations as nanoseconds, at most about 73 years. */
public final class Nanos {
    private static final Duration MOST = Duration.ofNanos(Long.MAX_VALUE / 4);

    private Nanos() {}

    /** The nanoseconds of a duration; the most that a long holds if there are more. */
    public static long of(Duration duration) {
        return duration.compareTo(MOST) > 0 ? MOST.toNanos() : duration.toNanos();
    }
}
