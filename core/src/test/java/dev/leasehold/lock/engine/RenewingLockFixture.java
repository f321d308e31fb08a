package dev.leasehold.lock.engine;

import dev.leasehold.TestWaits;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOptions.ReleaseErrorHandler;
import dev.leasehold.lock.internal.Grant;
import dev.leasehold.lock.internal.LockEvents;
import dev.leasehold.lock.internal.Renewals;
import dev.leasehold.lock.internal.WaitLines;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Leases on a store that answers as the test says, and what their release errors were. */
final class RenewingLockFixture implements AutoCloseable {
    static final Duration TTL = Duration.ofMinutes(30);

    record Reported(RuntimeException error, ReleaseErrorHandler.Context context) {}

    final FakeStore store = new FakeStore();
    final List<LockEvent> heard = new CopyOnWriteArrayList<>();
    final List<Reported> reported = new CopyOnWriteArrayList<>();
    final LockId lockId = LockId.generate();
    private final Timer timer = new Timer("lease-test");
    LockOptions options =
            LockOptions.DEFAULT.onReleaseError((error, context) -> reported.add(new Reported(error, context)));

    /** A lease that was asked for just now. */
    RenewingLock lease() {
        return lease(Duration.ZERO, TTL);
    }

    /** A lease that was asked for {@code age} ago. */
    RenewingLock lease(Duration age, Duration ttl) {
        LockEvents events = new LockEvents(heard::add);
        LockRuntime runtime = new LockRuntime(
                store,
                options,
                events,
                new Renewals(store, events, timer),
                new WaitLines(store, timer, options.pollInterval()),
                timer);
        Granted granted = new Granted(lockId, Fence.of(41), FakeStore.START, FakeStore.START.plus(ttl));
        long sent = System.nanoTime() - age.toNanos();
        return new RenewingLock(new Grant(LockKey.of("ledger:7"), granted, ttl, true, false, sent, 0), runtime);
    }

    /** Keeps the timer from doing anything until the result is run. */
    Runnable stopTimer() {
        CountDownLatch goOn = new CountDownLatch(1);
        timer.after(0, () -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return goOn::countDown;
    }

    /** Returns once the timer has done all that was due. */
    void awaitTimer() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        timer.after(Duration.ofMillis(20).toNanos(), () -> done.complete(true));
        TestWaits.get(done);
    }

    /** Lets releases stay open until the result is completed. */
    CompletableFuture<ReleaseResult> slowRelease() {
        CompletableFuture<ReleaseResult> answer = new CompletableFuture<>();
        store.onRelease = id -> answer;
        return answer;
    }

    void failRelease(RuntimeException failure) {
        store.onRelease = id -> CompletableFuture.failedFuture(failure);
    }

    @Override
    public void close() {
        timer.close();
    }
}
