package dev.leasehold.lock.spi;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Ttl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One try to acquire: it wins or loses, it does not wait.
 *
 * @param lockId the id that the grant will have, drawn by the caller so that an attempt with an unknown outcome can be given back
 */
public record AcquireAttempt(
        LockKey key, LockId lockId, Duration ttl, @Nullable Holder holder, CancelSignal signal) {
    public AcquireAttempt {
        Ttl.check(ttl);
    }

    /** An anonymous attempt with a fresh lock id. */
    public static AcquireAttempt of(LockKey key, Duration ttl) {
        return new AcquireAttempt(key, LockId.generate(), ttl, null, CancelSignal.none());
    }

    public AcquireAttempt holder(@Nullable Holder holder) {
        return new AcquireAttempt(key, lockId, ttl, holder, signal);
    }

    public AcquireAttempt signal(CancelSignal signal) {
        return new AcquireAttempt(key, lockId, ttl, holder, signal);
    }
}
