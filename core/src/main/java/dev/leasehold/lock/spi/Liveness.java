package dev.leasehold.lock.spi;

/** The one predicate that says whether a lock is live, the same in every statement and every store. */
public final class Liveness {
    /** How long after its expiry a lock is still taken for live. Not configurable: everybody must agree on it. */
    public static final long TOLERANCE_MS = 1000;

    /** How long after its expiry a lock row is kept before a sweep may delete it. */
    public static final long SWEEP_AFTER_MS = 2000;

    private Liveness() {}

    /** Whether a lock with this expiry is live at that time, both in epoch milliseconds. */
    public static boolean isLive(long expiresAtMs, long nowMs) {
        return expiresAtMs > nowMs - TOLERANCE_MS;
    }
}
