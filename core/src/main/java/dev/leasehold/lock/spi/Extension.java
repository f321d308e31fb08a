package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.Ttl;
import java.time.Duration;

/** A request to extend one grant to now plus {@code ttl}. */
public record Extension(LockId lockId, Duration ttl) {
    public Extension {
        Ttl.check(ttl);
    }
}
