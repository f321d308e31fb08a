package dev.leasehold.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a {@link Locks} behaves where a request does not say. Immutable; start from {@link #DEFAULT}. */
public final class LockOptions {
    /** A ttl of 30 s, 5 s of waiting, a poll every second at most, and a close that waits as long as the store takes. */
    public static final LockOptions DEFAULT = new LockOptions();

    private Duration ttl = Ttl.DEFAULT;
    private Duration waitFor = Duration.ofSeconds(5);
    private Duration pollInterval = Duration.ofSeconds(1);
    private Duration disposeTimeout = Duration.ZERO;
    private @Nullable ReleaseErrorHandler onReleaseError;
    private @Nullable LockListener listener;

    private LockOptions() {}

    private LockOptions(LockOptions other) {
        this.ttl = other.ttl;
        this.waitFor = other.waitFor;
        this.pollInterval = other.pollInterval;
        this.disposeTimeout = other.disposeTimeout;
        this.onReleaseError = other.onReleaseError;
        this.listener = other.listener;
    }

    private static Duration notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw LockException.invalidArgument(name + " must not be negative, got " + value);
        }
        return value;
    }

    /** The ttl of a lock. */
    public Duration ttl() {
        return ttl;
    }

    /** How long {@code acquire} waits. */
    public Duration waitFor() {
        return waitFor;
    }

    /** How often a waiter asks the store at least. */
    public Duration pollInterval() {
        return pollInterval;
    }

    /** How long {@code close} waits for the release; zero: as long as the store takes. */
    public Duration disposeTimeout() {
        return disposeTimeout;
    }

    /** What is called when a release fails in {@code close}; null: the failure is logged. */
    public @Nullable ReleaseErrorHandler onReleaseError() {
        return onReleaseError;
    }

    /** What is called for every operation; null: nothing. */
    public @Nullable LockListener listener() {
        return listener;
    }

    /** The ttl of a lock; 30 s by default, at most 365 days. A handle renews it: it says how long others wait if this process dies. */
    public LockOptions ttl(Duration ttl) {
        LockOptions changed = new LockOptions(this);
        changed.ttl = Ttl.check(ttl);
        return changed;
    }

    /** How long {@code acquire} waits; 5 s by default. */
    public LockOptions waitFor(Duration waitFor) {
        LockOptions changed = new LockOptions(this);
        changed.waitFor = notNegative("waitFor", waitFor);
        return changed;
    }

    /**
     * How often a waiter polls the store although it was not woken; a second by default. The real interval is random, 50 to 100 % of
     * it.
     */
    public LockOptions pollInterval(Duration pollInterval) {
        if (pollInterval.isNegative() || pollInterval.isZero()) {
            throw LockException.invalidArgument("pollInterval must be positive, got " + pollInterval);
        }
        LockOptions changed = new LockOptions(this);
        changed.pollInterval = pollInterval;
        return changed;
    }

    /** How long {@code close} waits for the release; zero, the default: as long as the store takes. */
    public LockOptions disposeTimeout(Duration disposeTimeout) {
        LockOptions changed = new LockOptions(this);
        changed.disposeTimeout = notNegative("disposeTimeout", disposeTimeout);
        return changed;
    }

    /** Calls {@code handler} when a release fails in {@code close}; by default the failure is logged. */
    public LockOptions onReleaseError(ReleaseErrorHandler handler) {
        LockOptions changed = new LockOptions(this);
        changed.onReleaseError = handler;
        return changed;
    }

    /** Calls {@code listener} for every operation. */
    public LockOptions listener(LockListener listener) {
        LockOptions changed = new LockOptions(this);
        changed.listener = listener;
        return changed;
    }

    @Override
    public String toString() {
        return "LockOptions[ttl=" + ttl + ", waitFor=" + waitFor + ", pollInterval=" + pollInterval
                + ", disposeTimeout="
                + disposeTimeout + ", onReleaseError=" + onReleaseError + ", listener=" + listener
                + "]";
    }

    /** Called when the release of a lock fails in {@code close}. The lock then ends at its expiry. */
    @FunctionalInterface
    public interface ReleaseErrorHandler {
        /** Called once per failed close; what it throws is ignored. */
        void onReleaseError(RuntimeException error, Context context);

        /**
         * Which lock it was.
         *
         * @param source always {@code disposal}
         */
        record Context(String key, LockId lockId, String source) {}
    }
}
