package dev.leasehold.lock.internal;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Ttl;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@link HolderLocks} over any store: one transition each. */
public final class StoreHolderLocks implements HolderLocks {
    private final LockStore store;

    public StoreHolderLocks(LockStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> acquire(LockKey key, Holder holder, Duration lease) {
        return StoreCalls.of(
                () -> store.acquire(
                        new AcquireAttempt(key, LockId.generate(), lease, holder, false, CancelSignal.none())),
                result -> heldBy(result, lease));
    }

    private static Optional<HeldBy> heldBy(AcquireResult result, Duration lease) {
        return result instanceof Granted granted
                ? Optional.of(
                        new HeldBy(granted.lockId(), granted.fence(), lease, granted.acquiredAt(), granted.expiresAt()))
                : Optional.empty();
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        return StoreCalls.of(() -> store.renew(key, holder, Ttl.check(more)), held -> held);
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        return StoreCalls.of(() -> store.release(key, holder), release -> release);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> get(LockKey key) {
        return StoreCalls.of(() -> store.lookup(key), info -> info);
    }
}
