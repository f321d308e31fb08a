package dev.leasehold.lock.direct;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Locks by key and holder instead of lock id: a caller is recognized by owner and instance id.
 *
 * <p>The same locks as everywhere else. No call waits for a lock, none blocks, and futures fail only with a {@link LockException}.
 */
public interface HolderLocks {
    /** Grants the key to {@code holder} for {@code lease} from now; again if it has it, for longer or shorter. Empty if others have it. */
    CompletableFuture<Optional<HeldBy>> acquire(LockKey key, Holder holder, Duration lease);

    /**
     * Adds {@code more} to what is left of the holder's lease, but never so that it reaches further than {@link #MAX_LEASE} from
     * now. Empty if the holder does not have it.
     */
    CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more);

    /** Releases the key. It is free then, unless somebody else holds it. */
    CompletableFuture<Release> release(LockKey key, Holder holder);

    /** The lock of the key, with its holder if they said so. */
    CompletableFuture<Optional<LockInfo>> get(LockKey key);

    /** How far a renewed lease may reach. */
    Duration MAX_LEASE = Duration.ofDays(1);

    /** What a release by holder found. */
    enum Release {
        /** The holder had it, and has no more. */
        RELEASED,
        /** Nobody had it: it was never acquired, was released before, or its lease was over. */
        NOT_HELD,
        /** Somebody else has it, and keeps it. */
        HELD_BY_OTHER;

        /** Whether nobody has the key now. */
        public boolean isFree() {
            return this != HELD_BY_OTHER;
        }
    }

    /**
     * A lease of a holder.
     *
     * @param lease all that it was given, with what was added
     */
    record HeldBy(LockId lockId, Fence fence, Duration lease, Instant acquiredAt, Instant expiresAt) {}
}
