package dev.leasehold.syncguard;

import dev.leasehold.lock.LockException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * SyncGuard's way to wait: try, sleep, try again. Kept for those who want its timing; the normal way to wait is to be woken.
 *
 * @param maxRetries attempts after the first one
 * @param retryDelay the first sleep
 * @param backoff whether sleeps double
 * @param jitter how much of a sleep is random
 * @param timeout when to give up, measured before each attempt and cutting the last sleep short
 */
public record RetryPolicy(int maxRetries, Duration retryDelay, Backoff backoff, Jitter jitter, Duration timeout) {
    /** 10 retries, 100 ms doubling, half of it random, 5 s in all. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(10, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL, Duration.ofSeconds(5));

    private static final int MAX_DOUBLINGS = 40;

    /** How sleeps grow. */
    public enum Backoff {
        EXPONENTIAL,
        FIXED
    }

    /** How sleeps vary: all of it random, half of it, or none. */
    public enum Jitter {
        FULL,
        EQUAL,
        NONE
    }

    public RetryPolicy {
        if (maxRetries < 0) {
            throw LockException.invalidArgument("maxRetries must not be negative, got " + maxRetries);
        }
        if (retryDelay.isNegative()) {
            throw LockException.invalidArgument("retryDelay must not be negative, got " + retryDelay);
        }
        if (timeout.isNegative()) {
            throw LockException.invalidArgument("timeout must not be negative, got " + timeout);
        }
    }

    /** Attempts after the first one. */
    public RetryPolicy maxRetries(int maxRetries) {
        return new RetryPolicy(maxRetries, retryDelay, backoff, jitter, timeout);
    }

    /** The first sleep. */
    public RetryPolicy retryDelay(Duration retryDelay) {
        return new RetryPolicy(maxRetries, retryDelay, backoff, jitter, timeout);
    }

    /** Whether sleeps double. */
    public RetryPolicy backoff(Backoff backoff) {
        return new RetryPolicy(maxRetries, retryDelay, backoff, jitter, timeout);
    }

    /** How much of a sleep is random. */
    public RetryPolicy jitter(Jitter jitter) {
        return new RetryPolicy(maxRetries, retryDelay, backoff, jitter, timeout);
    }

    /** When to give up. */
    public RetryPolicy timeout(Duration timeout) {
        return new RetryPolicy(maxRetries, retryDelay, backoff, jitter, timeout);
    }

    /** The sleep after the {@code attempt}-th attempt (from 1), in milliseconds, before the timeout cuts it. */
    public double delayMs(int attempt, DoubleSupplier random) {
        double base = retryDelay.toNanos() / 1e6;
        double delay = backoff == Backoff.EXPONENTIAL ? base * Math.pow(2, Math.min(attempt - 1, MAX_DOUBLINGS)) : base;
        return switch (jitter) {
            case FULL -> random.getAsDouble() * delay;
            case EQUAL -> delay / 2 + random.getAsDouble() * delay / 2;
            case NONE -> delay;
        };
    }
}
