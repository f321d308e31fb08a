package dev.leasehold.lock.direct;

import dev.leasehold.lock.LockEvent.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a release or an extension by lock id ended.
 *
 * @param ok whether the lock was held, and is released or extended
 * @param expiresAt the new expiry, by the store's clock; null unless it was extended
 * @param reason why not: its lease was over, or there is no such grant; null if it was ok, or if the store does not know
 */
public record LockOutcome(
        boolean ok, @Nullable Instant expiresAt, @Nullable Reason reason) {}
