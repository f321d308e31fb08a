package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockEvent.Reason;
import org.jspecify.annotations.Nullable;

/** Whether the release was the one that ended the grant; otherwise, if the store knows, why not. */
public record ReleaseResult(boolean ok, @Nullable Reason reason) {
    public static final ReleaseResult RELEASED = new ReleaseResult(true, null);
    public static final ReleaseResult EXPIRED = new ReleaseResult(false, Reason.EXPIRED);
    public static final ReleaseResult NOT_FOUND = new ReleaseResult(false, Reason.NOT_FOUND);
}
