package dev.leasehold.chaos.structures;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;

/** A store of one key that answers at once and wakes in the thread that releases, so that nothing but the line decides. */
final class PlainStore implements LockStore {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicReference<LockId> holder = new AtomicReference<>();
    private final Set<Runnable> watchers = new CopyOnWriteArraySet<>();

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        boolean granted = holder.compareAndSet(null, attempt.lockId());
        AcquireResult result =
                granted ? new Granted(attempt.lockId(), Fence.of(1), Instant.EPOCH, Instant.EPOCH) : new Locked(LONG);
        return CompletableFuture.completedFuture(result);
    }

    /** Who asks a second time waits until the first has woken everybody. */
    @Override
    public synchronized CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        if (!lockId.equals(holder.get())) {
            return CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
        }
        holder.set(null);
        watchers.forEach(Runnable::run);
        return CompletableFuture.completedFuture(ReleaseResult.RELEASED);
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        watchers.add(wakeUp);
        wakeUp.run();
        return () -> watchers.remove(wakeUp);
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Capabilities capabilities() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
