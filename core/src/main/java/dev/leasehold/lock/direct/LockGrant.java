package dev.leasehold.lock.direct;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import java.time.Instant;

/** A grant as it came from the store, without a handle: nobody renews it or watches over it. */
public record LockGrant(LockKey key, LockId lockId, Fence fence, Instant acquiredAt, Instant expiresAt) {}
