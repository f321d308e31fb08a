package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockEvent.Reason;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an extension did: it set a new expiry, or found that the grant is gone. */
public sealed interface ExtendResult {
    /** Whether the grant was extended. */
    default boolean ok() {
        return this instanceof Extended;
    }

    /** The new expiry; empty if nothing was extended. */
    default Optional<Instant> newExpiry() {
        return this instanceof Extended extended ? Optional.of(extended.expiresAt()) : Optional.empty();
    }

    /** The new expiry, by the store's clock. */
    record Extended(Instant expiresAt) implements ExtendResult {}

    /** Nothing was extended. */
    record Gone(@Nullable Reason reason) implements ExtendResult {
        public static final Gone EXPIRED = new Gone(Reason.EXPIRED);
        public static final Gone NOT_FOUND = new Gone(Reason.NOT_FOUND);
    }
}
