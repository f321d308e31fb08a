package dev.leasehold.postgres.lock;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.admin.Capabilities.TimeAuthority;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.internal.GroupCommit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The lock contract on PostgreSQL: every transition is the .sql file of its name, sent by {@link GroupCommit}. */
final class PostgresLockStore implements LockStore {
    private final LockEngine engine;
    private final boolean inCallerThread;

    PostgresLockStore(LockEngine engine, boolean inCallerThread) {
        this.engine = engine;
        this.inCallerThread = inCallerThread;
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        return engine.send(engine.acquire, attempt, attempt.signal(), inCallerThread);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        return engine.send(engine.release, ReleaseStatement.Wish.release(lockId), signal, inCallerThread);
    }

    @Override
    public boolean handsOver() {
        return true;
    }

    @Override
    public HandOver handOver(LockId lockId, AcquireAttempt next) {
        return engine.handOver(lockId, next, inCallerThread);
    }

    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return engine.giveBack(attempt);
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        return engine.send(engine.extend, extension, signal, inCallerThread);
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        return engine.sendAll(engine.extend, extensions);
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        RenewByHolderStatement.Renewal renewal = new RenewByHolderStatement.Renewal(key, holder, more);
        return engine.send(engine.renewHeld, renewal, CancelSignal.none(), inCallerThread);
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        ReleaseByKeyStatement.Wish wish = new ReleaseByKeyStatement.Wish(key, holder, null);
        return engine.send(engine.releaseHeld, wish, CancelSignal.none(), inCallerThread);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence) {
        ReleaseByKeyStatement.Wish wish = new ReleaseByKeyStatement.Wish(key, null, fence);
        return engine.send(engine.forceRelease, wish, CancelSignal.none(), inCallerThread)
                .thenApply(release -> release == Release.RELEASED);
    }

    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return engine.send(engine.list, listing, CancelSignal.none(), inCallerThread);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return engine.send(engine.byKey, key.value(), signal, inCallerThread).thenApply(found -> {
            if (found.sweepable() && engine.config().cleanupInIsLocked()) {
                engine.sweep(key.value());
            }
            return found.live().isPresent();
        });
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        return engine.send(engine.byKey, key.value(), signal, inCallerThread).thenApply(LookupStatement.Found::live);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        return engine.send(engine.byId, lockId.value(), signal, inCallerThread).thenApply(LookupStatement.Found::live);
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        return engine.wakeUps.watch(key, wakeUp);
    }

    @Override
    public LockStore inCallerThread() {
        return inCallerThread ? this : new PostgresLockStore(engine, true);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("postgres", true, TimeAuthority.SERVER);
    }

    @Override
    public void close() {
        engine.close();
    }
}
