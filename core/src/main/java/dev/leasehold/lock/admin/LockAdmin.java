package dev.leasehold.lock.admin;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What operators may do with locks that they do not hold. Futures fail only with a {@link LockException}. */
public interface LockAdmin {
    /** A page of the live locks, in byte order of their keys. */
    CompletableFuture<List<ListedLock>> list(LockListing listing);

    /**
     * Takes the lock away from its holder, who holds it under this fence: its guard, extend and release fail from then on. False if that
     * fence does not hold the key.
     *
     * @param reason why; it is logged
     */
    CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence, String reason);

    /** What the store can do. */
    Capabilities capabilities();
}
