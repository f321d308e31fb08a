package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockEvent.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Until when the grant was extended; or that it was not, because it is gone. */
public sealed interface ExtendResult {
    default boolean ok() {
        return this instanceof Extended;
    }

    /** The new expiry, by the store's clock. */
    record Extended(Instant expiresAt) implements ExtendResult {}

    /** Nothing was extended. */
    record Gone(@Nullable Reason reason) implements ExtendResult {
        public static final Gone EXPIRED = new Gone(Reason.EXPIRED);
        public static final Gone NOT_FOUND = new Gone(Reason.NOT_FOUND);
    }
}
