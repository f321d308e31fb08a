package dev.leasehold.lock.admin;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A live lock as operators see it: never its lock id.
 *
 * @param holder who holds it, if they said so
 */
public record ListedLock(LockKey key, @Nullable Holder holder, Instant acquiredAt, Instant expiresAt, Fence fence) {}
