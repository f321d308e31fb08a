package dev.leasehold.lock.internal;

import java.time.Duration;

/**
 * How long a holder may trust its grant, measured from when the last successful acquire or renewal was sent.
 *
 * <p>The store measures from when the call arrives, which is later. So at {@code expired} the grant is still live in the store, and it
 * takes the tolerance more until another client can take the lock.
 */
record Deadlines(long renewNanos, long warnNanos, long stopNanos, long expiredNanos) {
    private static final long LEAST_MARGIN = Duration.ofMillis(250).toNanos();
    private static final long MOST_MARGIN = Duration.ofSeconds(5).toNanos();

    static Deadlines of(Duration ttl) {
        long all = ttl.toNanos();
        long margin = Math.min(all / 3, Math.max(LEAST_MARGIN, Math.min(MOST_MARGIN, all / 10)));
        return new Deadlines(all / 3, all / 3 * 2, all - margin, all);
    }

    /** The pause of a JVM after which a holder is in doubt. */
    long marginNanos() {
        return expiredNanos - stopNanos;
    }

    /** From here on a grant is renewed together with others that are due. */
    long earlyNanos() {
        return renewNanos / 2;
    }
}
