package dev.leasehold.lock;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A live lock: hashes of its key and lock id, its times by the store's clock, its fence and, if they said so, who holds it.
 *
 * <p>For diagnosis. It is no guard: the lock may change hands meanwhile.
 */
public final class LockInfo {
    private final String keyHash;
    private final String lockIdHash;
    private final Instant acquiredAt;
    private final Instant expiresAt;
    private final Fence fence;
    private final @Nullable Holder holder;
    private final @Nullable LockKey key;
    private final @Nullable LockId lockId;

    private LockInfo(Builder b) {
        this.keyHash = b.keyHash;
        this.lockIdHash = b.lockIdHash;
        this.acquiredAt = b.acquiredAt;
        this.expiresAt = b.expiresAt;
        this.fence = b.fence;
        this.holder = b.holder;
        this.key = b.key;
        this.lockId = b.lockId;
    }

    /** A lock as the store knows it. Its text shows neither key nor lock id. */
    public static LockInfo of(
            LockKey key, LockId lockId, Instant acquiredAt, Instant expiresAt, Fence fence, @Nullable Holder holder) {
        return new LockInfo(new Builder(key.hash(), lockId.hash(), acquiredAt, expiresAt, fence, holder, key, lockId));
    }

    /** A lock of which only the sanitized part is known, as over HTTP. */
    public static LockInfo sanitized(
            String keyHash,
            String lockIdHash,
            Instant acquiredAt,
            Instant expiresAt,
            Fence fence,
            @Nullable Holder holder) {
        return new LockInfo(new Builder(keyHash, lockIdHash, acquiredAt, expiresAt, fence, holder, null, null));
    }

    /** The hash of the key: {@link LockKey#hash}. */
    public String keyHash() {
        return keyHash;
    }

    /** The hash of the lock id: {@link LockId#hash}. */
    public String lockIdHash() {
        return lockIdHash;
    }

    /** When this grant began, by the store's clock. */
    public Instant acquiredAt() {
        return acquiredAt;
    }

    /** When this grant ends unless it is extended, by the store's clock. */
    public Instant expiresAt() {
        return expiresAt;
    }

    /** The number of this grant. */
    public Fence fence() {
        return fence;
    }

    /** Who holds it, if they said so. */
    public Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }

    /** The key, if the store returns it; a server returns only its hash. Not for logs. */
    public Optional<LockKey> key() {
        return Optional.ofNullable(key);
    }

    /** The lock id, if the store returns it. A secret: everyone who has it can release the lock. */
    public Optional<LockId> lockId() {
        return Optional.ofNullable(lockId);
    }

    @Override
    public String toString() {
        return "LockInfo[keyHash=" + keyHash + ", lockIdHash=" + lockIdHash + ", acquiredAt=" + acquiredAt
                + ", expiresAt=" + expiresAt + ", fence=" + fence + ", holder=" + holder + "]";
    }

    private record Builder(
            String keyHash,
            String lockIdHash,
            Instant acquiredAt,
            Instant expiresAt,
            Fence fence,
            @Nullable Holder holder,
            @Nullable LockKey key,
            @Nullable LockId lockId) {}
}
