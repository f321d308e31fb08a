package dev.leasehold.lock.spi;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Ttl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire: it is granted or refused, it does not wait.
 *
 * @param lockId the id that the grant will have, generated before the attempt, so that one with an unknown outcome can be released
 * @param callerChoseId whether the caller chose the lock id, and so may repeat the attempt, here or on another node
 */
public record AcquireAttempt(
        LockKey key, LockId lockId, Duration ttl, @Nullable Holder holder, boolean callerChoseId, CancelSignal signal) {
    public AcquireAttempt {
        Ttl.check(ttl);
    }

    /** An anonymous attempt with a fresh lock id. */
    public static AcquireAttempt of(LockKey key, Duration ttl) {
        return new AcquireAttempt(key, LockId.generate(), ttl, null, false, CancelSignal.none());
    }

    /** The same attempt for a holder. */
    public AcquireAttempt holder(@Nullable Holder holder) {
        return new AcquireAttempt(key, lockId, ttl, holder, callerChoseId, signal);
    }

    /** The same attempt with a signal that ends it. */
    public AcquireAttempt signal(CancelSignal signal) {
        return new AcquireAttempt(key, lockId, ttl, holder, callerChoseId, signal);
    }

    /** Whether the grant is new, and so can be released if its caller has gone: not an earlier one of the same holder. */
    public boolean isNewGrant(LockId granted) {
        return granted.equals(lockId);
    }

    /** Whether another attempt may have returned the same grant: with the same lock id, or for the same holder. */
    public boolean isRepeatable() {
        return callerChoseId || holder != null;
    }
}
