package dev.leasehold.testkit.lock;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store between a node and the engine that fails, delays and loses what the test wants it to. Closing it does nothing. */
final class FaultyStore implements LockStore {
    private final LockStore store;
    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicInteger failedExtensions = new AtomicInteger();
    private volatile @Nullable RuntimeException releaseFailure;
    private volatile @Nullable RuntimeException extendFailure;
    private volatile CompletableFuture<?> releaseGate = CompletableFuture.completedFuture(null);
    private volatile boolean losesWakeUps;

    FaultyStore(LockStore store) {
        this.store = store;
    }

    /** From now on releases fail; null heals. */
    void failReleases(@Nullable RuntimeException failure) {
        releaseFailure = failure;
    }

    /** From now on extensions fail; null heals. */
    void failExtensions(@Nullable RuntimeException failure) {
        extendFailure = failure;
    }

    /** From now on releases wait for the gate. */
    void holdReleasesUntil(CompletableFuture<?> gate) {
        releaseGate = gate;
    }

    /** From now on nobody is woken. */
    void loseWakeUps() {
        losesWakeUps = true;
    }

    /** How many releases were asked for. */
    int releases() {
        return releases.get();
    }

    /** How many extensions were made to fail. */
    int failedExtensions() {
        return failedExtensions.get();
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        releases.incrementAndGet();
        RuntimeException failure = releaseFailure;
        return releaseGate.thenCompose(
                open -> failure == null ? store.release(lockId, signal) : CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        releases.incrementAndGet();
        RuntimeException failure = releaseFailure;
        return releaseGate.thenCompose(
                open -> failure == null ? store.giveBack(attempt) : CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        RuntimeException failure = extendFailure;
        if (failure == null) {
            return store.extend(extension, signal);
        }
        failedExtensions.incrementAndGet();
        return CompletableFuture.failedFuture(failure);
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        return extensions.stream().map(e -> extend(e, CancelSignal.none())).toList();
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        return store.watch(key, () -> {
            if (!losesWakeUps) {
                wakeUp.run();
            }
        });
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        return store.acquire(attempt);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return store.isLocked(key, signal);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        return store.lookup(key, signal);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        return store.lookup(lockId, signal);
    }

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public void close() {}
}
