package dev.leasehold.lock.internal;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Reports every call of a store that returned to the {@link LockEvents}. Calls that fail are not reported: their exception is enough. */
public final class TelemetryStore implements LockStore {
    private final LockStore store;
    private final LockEvents events;

    private TelemetryStore(LockStore store, LockEvents events) {
        this.store = store;
        this.events = events;
    }

    /** The store itself if there is no listener. */
    public static LockStore around(LockStore store, LockEvents events) {
        return events.isHeard() ? new TelemetryStore(store, events) : store;
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        long start = System.nanoTime();
        return told(store.acquire(attempt), result -> tellAcquire(attempt, result, start));
    }

    @Override
    public boolean waits() {
        return store.waits();
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt, Duration wait) {
        long start = System.nanoTime();
        return told(store.acquire(attempt, wait), result -> tellAcquire(attempt, result, start));
    }

    private void tellAcquire(AcquireAttempt attempt, AcquireResult result, long start) {
        LockId granted = result instanceof Granted g ? g.lockId() : null;
        events.tell(Type.ACQUIRE, result.ok(), attempt.key(), granted, Reason.LOCKED, start);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        long start = System.nanoTime();
        return told(store.release(lockId, signal), result -> tellRelease(lockId, result, start));
    }

    @Override
    public CompletableFuture<ReleaseResult> releaseFromHandle(LockId lockId, Duration repeatFor) {
        long start = System.nanoTime();
        return told(store.releaseFromHandle(lockId, repeatFor), result -> tellRelease(lockId, result, start));
    }

    private void tellRelease(LockId lockId, ReleaseResult result, long start) {
        events.tell(Type.RELEASE, result.ok(), null, lockId, result.reason(), start);
    }

    @Override
    public boolean handsOver() {
        return store.handsOver();
    }

    @Override
    public HandOver handOver(LockId lockId, AcquireAttempt next) {
        long start = System.nanoTime();
        HandOver handOver = store.handOver(lockId, next);
        tell(handOver.released(), result -> tellRelease(lockId, result, start));
        tell(handOver.acquired(), result -> tellAcquire(next, result, start));
        return handOver;
    }

    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        long start = System.nanoTime();
        return told(
                store.giveBack(attempt),
                result -> events.tell(
                        Type.RELEASE, result.ok(), attempt.key(), attempt.lockId(), result.reason(), start));
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        long start = System.nanoTime();
        return told(store.extend(extension, signal), result -> tellExtend(extension, result, start));
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        long start = System.nanoTime();
        List<CompletableFuture<ExtendResult>> results = store.extendAll(extensions);
        List<CompletableFuture<ExtendResult>> told = new ArrayList<>(results.size());
        for (int i = 0; i < results.size(); i++) {
            Extension extension = extensions.get(i);
            told.add(told(results.get(i), result -> tellExtend(extension, result, start)));
        }
        return told;
    }

    private void tellExtend(Extension extension, ExtendResult result, long start) {
        Reason reason = result instanceof Gone gone ? gone.reason() : null;
        events.tell(Type.EXTEND, result.ok(), null, extension.lockId(), reason, start);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        long start = System.nanoTime();
        return told(store.isLocked(key, signal), locked -> events.tell(Type.IS_LOCKED, locked, key, null, null, start));
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        long start = System.nanoTime();
        return told(
                store.lookup(key, signal), info -> events.tell(Type.LOOKUP, info.isPresent(), key, null, null, start));
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        long start = System.nanoTime();
        return told(
                store.lookup(lockId, signal),
                info -> events.tell(Type.LOOKUP, info.isPresent(), null, lockId, null, start));
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        long start = System.nanoTime();
        return told(store.renew(key, holder, more), held -> {
            LockId lockId = held.map(HeldBy::lockId).orElse(null);
            events.tell(Type.EXTEND, held.isPresent(), key, lockId, Reason.NOT_FOUND, start);
        });
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        long start = System.nanoTime();
        return told(
                store.release(key, holder),
                release -> events.tell(Type.RELEASE, release.isFree(), key, null, Reason.LOCKED, start));
    }

    /** Not reported: it is about no lock in particular. */
    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return store.list(listing);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence) {
        return toldOfForce(key, store.forceRelease(key, fence));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence, String reason) {
        return toldOfForce(key, store.forceRelease(key, fence, reason));
    }

    private CompletableFuture<Boolean> toldOfForce(LockKey key, CompletableFuture<Boolean> call) {
        long start = System.nanoTime();
        return told(call, released -> events.tell(Type.RELEASE, released, key, null, Reason.NOT_FOUND, start));
    }

    /** Returns the store's own future, so that a cancel reaches the store. */
    private static <T> CompletableFuture<T> told(CompletableFuture<T> result, Consumer<T> tell) {
        tell(result, tell);
        return result;
    }

    private static <T> void tell(CompletableFuture<T> result, Consumer<T> tell) {
        Futures.whenDone(result, (value, failure) -> {
            if (failure == null) {
                tell.accept(value);
            }
        });
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        return store.watch(key, wakeUp);
    }

    @Override
    public LockStore inCallerThread() {
        return new TelemetryStore(store.inCallerThread(), events);
    }

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public void close() {
        store.close();
    }
}
