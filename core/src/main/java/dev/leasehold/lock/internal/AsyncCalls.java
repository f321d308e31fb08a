package dev.leasehold.lock.internal;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.LockGrant;
import dev.leasehold.lock.direct.LockOutcome;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** {@link AsyncLocks} over any store. Acquiring is for the caller to supply: it waits in line. */
public final class AsyncCalls implements AsyncLocks {
    private final LockStore store;
    private final Function<AcquireRequest, CompletableFuture<Optional<HeldLock>>> tryAcquire;
    private final Function<AcquireRequest, CompletableFuture<Optional<LockGrant>>> grant;

    public AsyncCalls(
            LockStore store,
            Function<AcquireRequest, CompletableFuture<Optional<HeldLock>>> tryAcquire,
            Function<AcquireRequest, CompletableFuture<Optional<LockGrant>>> grant) {
        this.store = store;
        this.tryAcquire = tryAcquire;
        this.grant = grant;
    }

    @Override
    public CompletableFuture<Optional<HeldLock>> tryAcquire(AcquireRequest request) {
        return tryAcquire.apply(request);
    }

    @Override
    public CompletableFuture<Optional<LockGrant>> grant(AcquireRequest request) {
        return grant.apply(request);
    }

    @Override
    public CompletableFuture<Boolean> release(String lockId) {
        return Calls.of(() -> store.release(LockId.of(lockId)), ReleaseResult::ok);
    }

    @Override
    public CompletableFuture<Optional<Instant>> extend(String lockId, Duration ttl) {
        return Calls.of(() -> store.extend(LockId.of(lockId), ttl), AsyncCalls::newExpiry);
    }

    @Override
    public CompletableFuture<LockOutcome> releaseOutcome(String lockId) {
        return Calls.of(
                () -> store.release(LockId.of(lockId)),
                released -> new LockOutcome(released.ok(), null, released.reason()));
    }

    @Override
    public CompletableFuture<LockOutcome> extendOutcome(String lockId, Duration ttl) {
        return Calls.of(() -> store.extend(LockId.of(lockId), ttl), AsyncCalls::outcome);
    }

    private static LockOutcome outcome(ExtendResult result) {
        return result instanceof Gone gone
                ? new LockOutcome(false, null, gone.reason())
                : new LockOutcome(true, newExpiry(result).orElse(null), null);
    }

    static Optional<Instant> newExpiry(ExtendResult result) {
        return result instanceof Extended extended ? Optional.of(extended.expiresAt()) : Optional.empty();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String key) {
        return Calls.of(() -> store.isLocked(LockKey.of(key)), locked -> locked);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> getByKey(String key) {
        return Calls.of(() -> store.lookup(LockKey.of(key)), info -> info);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> getById(String lockId) {
        return Calls.of(() -> store.lookup(LockId.of(lockId)), info -> info);
    }

    @Override
    public HolderLocks byHolder() {
        return new HolderCalls(store);
    }
}
