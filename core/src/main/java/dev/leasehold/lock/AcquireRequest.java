package dev.leasehold.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to acquire and how: {@code AcquireRequest.of("ledger:7").ttl(Duration.ofSeconds(10)).waitFor(Duration.ofMinutes(1))}.
 *
 * @param ttl how long the grant lasts without renewal; null means the default of the {@link LockOptions}
 * @param waitFor how long to wait for others; null means zero for {@code tryAcquire} and the default for {@code acquire}
 * @param renew whether the handle renews itself until it is closed
 * @param holder who acquires; the same holder gets the same grant again
 * @param lockId the id that the grant will have, drawn by the caller so that it can repeat the call, or give the grant back
 *     whose reply was lost; null draws one
 * @param signal cancels the call, not the lock
 */
public record AcquireRequest(
        LockKey key,
        @Nullable Duration ttl,
        @Nullable Duration waitFor,
        boolean renew,
        @Nullable Holder holder,
        @Nullable LockId lockId,
        CancelSignal signal) {

    public AcquireRequest {
        if (ttl != null) {
            Ttl.check(ttl);
        }
        if (waitFor != null && waitFor.isNegative()) {
            throw LockException.invalidArgument("waitFor must not be negative, got " + waitFor);
        }
    }

    /** A request for {@code key} with all defaults. */
    public static AcquireRequest of(@Nullable String key) {
        return of(LockKey.of(key));
    }

    /** A request for {@code key} with all defaults. */
    public static AcquireRequest of(LockKey key) {
        return new AcquireRequest(key, null, null, true, null, null, CancelSignal.none());
    }

    /** How long the grant lasts without renewal: a whole number of milliseconds, at most 365 days. */
    public AcquireRequest ttl(@Nullable Duration ttl) {
        return new AcquireRequest(key, Ttl.check(ttl), waitFor, renew, holder, lockId, signal);
    }

    /** How long to wait for others; zero: not at all. */
    public AcquireRequest waitFor(Duration waitFor) {
        return new AcquireRequest(key, ttl, waitFor, renew, holder, lockId, signal);
    }

    /** Leaves renewal to the caller, through {@link HeldLock#extend}. */
    public AcquireRequest withoutRenewal() {
        return new AcquireRequest(key, ttl, waitFor, false, holder, lockId, signal);
    }

    /** Who acquires: a repeated acquire by the same holder gets the same grant. */
    public AcquireRequest holder(Holder holder) {
        return new AcquireRequest(key, ttl, waitFor, renew, holder, lockId, signal);
    }

    /** The lock id of the grant, drawn by the caller. Repeating the acquire with it is idempotent. */
    public AcquireRequest lockId(LockId lockId) {
        return new AcquireRequest(key, ttl, waitFor, renew, holder, lockId, signal);
    }

    /** Ends the call when {@code signal} is given. It does not end the lock. */
    public AcquireRequest signal(CancelSignal signal) {
        return new AcquireRequest(key, ttl, waitFor, renew, holder, lockId, signal);
    }
}
