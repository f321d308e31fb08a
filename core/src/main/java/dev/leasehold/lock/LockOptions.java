package dev.leasehold.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Locks} behaves where a request does not say. Immutable; start from {@link #DEFAULT}.
 *
 * @param ttl the ttl of a lock
 * @param waitFor how long {@code acquire} waits
 * @param pollInterval how often a waiter asks the store although nobody woke it; the real interval is random, 50 to 100 % of it
 * @param disposeTimeout how long {@code close} waits for the release; zero means as long as the store takes
 * @param onReleaseError hears of releases that failed in {@code close}; null logs them
 * @param listener hears of every operation; null costs nothing
 */
public record LockOptions(
        Duration ttl,
        Duration waitFor,
        Duration pollInterval,
        Duration disposeTimeout,
        @Nullable ReleaseErrorHandler onReleaseError,
        @Nullable LockListener listener) {

    public static final LockOptions DEFAULT =
            new LockOptions(Ttl.DEFAULT, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ZERO, null, null);

    public LockOptions {
        Ttl.check(ttl);
        checkNotNegative("waitFor", waitFor);
        checkNotNegative("disposeTimeout", disposeTimeout);
        if (pollInterval.isNegative() || pollInterval.isZero()) {
            throw LockException.invalidArgument("pollInterval must be positive, got " + pollInterval);
        }
    }

    private static void checkNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw LockException.invalidArgument(name + " must not be negative, got " + value);
        }
    }

    public LockOptions ttl(Duration ttl) {
        return new LockOptions(ttl, waitFor, pollInterval, disposeTimeout, onReleaseError, listener);
    }

    public LockOptions waitFor(Duration waitFor) {
        return new LockOptions(ttl, waitFor, pollInterval, disposeTimeout, onReleaseError, listener);
    }

    public LockOptions pollInterval(Duration pollInterval) {
        return new LockOptions(ttl, waitFor, pollInterval, disposeTimeout, onReleaseError, listener);
    }

    public LockOptions disposeTimeout(Duration disposeTimeout) {
        return new LockOptions(ttl, waitFor, pollInterval, disposeTimeout, onReleaseError, listener);
    }

    public LockOptions onReleaseError(ReleaseErrorHandler onReleaseError) {
        return new LockOptions(ttl, waitFor, pollInterval, disposeTimeout, onReleaseError, listener);
    }

    public LockOptions listener(LockListener listener) {
        return new LockOptions(ttl, waitFor, pollInterval, disposeTimeout, onReleaseError, listener);
    }
}
