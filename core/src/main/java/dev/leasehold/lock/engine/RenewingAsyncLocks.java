package dev.leasehold.lock.engine;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.LockGrant;
import dev.leasehold.lock.direct.LockOutcome;
import dev.leasehold.lock.internal.StoreCalls;
import dev.leasehold.lock.internal.StoreHolderLocks;
import dev.leasehold.lock.internal.Waiter;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.Await;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@link AsyncLocks} over any store. */
final class RenewingAsyncLocks implements AsyncLocks {
    private final RenewingLocks locks;
    private final LockRuntime runtime;
    private final LockStore store;

    RenewingAsyncLocks(RenewingLocks locks, LockRuntime runtime) {
        this.locks = locks;
        this.runtime = runtime;
        this.store = runtime.store();
    }

    /** The future completes in a thread that the user may keep. A grant that races with a cancel is released. */
    @Override
    public CompletableFuture<Optional<HeldLock>> tryAcquire(AcquireRequest request) {
        AcquireAttempt attempt = locks.attempt(request);
        CompletableFuture<Optional<HeldLock>> result = new CompletableFuture<>();
        Waiter waiter = runtime.lines().acquire(store, attempt, RenewingLocks.waitOf(request));
        cancelWith(result, waiter.result());
        Futures.whenDone(
                waiter.result(),
                (won, failure) -> runtime.timer()
                        .callback(() ->
                                handOver(result, request, attempt, won == null ? null : won.orElse(null), failure)));
        return result;
    }

    private void handOver(
            CompletableFuture<Optional<HeldLock>> result,
            AcquireRequest request,
            AcquireAttempt attempt,
            Waiter.@Nullable Won won,
            @Nullable Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(Await.failure(failure));
        } else if (won == null) {
            result.complete(Optional.empty());
        } else {
            RenewingLock lock = locks.hold(request, attempt, won);
            if (!result.complete(Optional.of(lock))) {
                lock.abandon();
                runtime.lines().giveBack(attempt, won.granted());
            }
        }
    }

    @Override
    public CompletableFuture<Optional<LockGrant>> grant(AcquireRequest request) {
        AcquireAttempt attempt = locks.attempt(request);
        CompletableFuture<Optional<LockGrant>> result = new CompletableFuture<>();
        Waiter waiter = runtime.lines().acquire(store, attempt, RenewingLocks.waitOf(request));
        cancelWith(result, waiter.result());
        Futures.whenDone(waiter.result(), (won, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Await.failure(failure));
            } else if (!result.complete(won.map(w -> grant(attempt, w.granted()))) && won.isPresent()) {
                runtime.lines().giveBack(attempt, won.get().granted());
            }
        });
        return result;
    }

    private static LockGrant grant(AcquireAttempt attempt, Granted granted) {
        return new LockGrant(
                attempt.key(), granted.lockId(), granted.fence(), granted.acquiredAt(), granted.expiresAt());
    }

    private static void cancelWith(CompletableFuture<?> result, CompletableFuture<?> source) {
        Futures.whenDone(result, (value, failure) -> {
            if (result.isCancelled()) {
                source.cancel(true);
            }
        });
    }

    @Override
    public CompletableFuture<Boolean> release(String lockId) {
        return StoreCalls.of(() -> store.release(LockId.of(lockId)), ReleaseResult::ok);
    }

    @Override
    public CompletableFuture<Optional<Instant>> extend(String lockId, Duration ttl) {
        return StoreCalls.of(() -> store.extend(LockId.of(lockId), ttl), ExtendResult::newExpiry);
    }

    @Override
    public CompletableFuture<LockOutcome> releaseOutcome(String lockId) {
        return StoreCalls.of(
                () -> store.release(LockId.of(lockId)),
                released -> new LockOutcome(released.ok(), null, released.reason()));
    }

    @Override
    public CompletableFuture<LockOutcome> extendOutcome(String lockId, Duration ttl) {
        return StoreCalls.of(() -> store.extend(LockId.of(lockId), ttl), RenewingAsyncLocks::outcome);
    }

    private static LockOutcome outcome(ExtendResult result) {
        return result instanceof Gone gone
                ? new LockOutcome(false, null, gone.reason())
                : new LockOutcome(true, result.newExpiry().orElse(null), null);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String key) {
        return StoreCalls.of(() -> store.isLocked(LockKey.of(key)), locked -> locked);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> getByKey(String key) {
        return StoreCalls.of(() -> store.lookup(LockKey.of(key)), info -> info);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> getById(String lockId) {
        return StoreCalls.of(() -> store.lookup(LockId.of(lockId)), info -> info);
    }

    @Override
    public HolderLocks byHolder() {
        return new StoreHolderLocks(store);
    }
}
