package dev.leasehold.lock.internal;

import dev.leasehold.internal.Timer;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.FakeStore;
import dev.leasehold.lock.spi.FakeStore.Asked;
import dev.leasehold.lock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Renewals on clocks that the test moves. The thread of the timer is kept busy, so that only the test looks; the monotonic
 * clock begins shortly before it wraps around.
 */
final class RenewalsFixture implements AutoCloseable {
    static final Duration TTL = Duration.ofSeconds(30);

    final FakeStore store = new FakeStore();
    final List<LockEvent> heard = new CopyOnWriteArrayList<>();
    final Timer timer = new Timer("renewals-test");
    final Renewals renewals;
    private final CountDownLatch end = new CountDownLatch(1);
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(15).toNanos();
    private long wallMs = 1_900_000_000_000L;

    RenewalsFixture() {
        timer.after(0, this::keepBusy);
        renewals = new Renewals(store, new LockEvents(heard::add), timer, () -> nanos, () -> wallMs);
    }

    private void keepBusy() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        timer.close();
        end.countDown();
    }

    long nanos() {
        return nanos;
    }

    Tenure held(Duration ttl) {
        return add(ttl, true);
    }

    Tenure heldWithoutRenewal(Duration ttl) {
        return add(ttl, false);
    }

    private Tenure add(Duration ttl, boolean renew) {
        Granted granted = new Granted(LockId.generate(), Fence.of(41), FakeStore.START, FakeStore.START.plus(ttl));
        Tenure tenure = new Tenure(new Grant(LockKey.of("ledger"), granted, ttl, renew, nanos, 0));
        renewals.add(tenure);
        return tenure;
    }

    /** Lets time go by while nothing runs. */
    void pause(Duration time) {
        nanos += time.toNanos();
        wallMs += time.toMillis();
    }

    /** Lets the wall clock go on while the monotonic clock all but stands, as on a suspended machine. */
    void suspend(Duration time) {
        nanos++;
        wallMs += time.toMillis();
    }

    /** Lets time go by with a look every tenth of a second. */
    void pass(Duration time) {
        long step = Duration.ofMillis(100).toNanos();
        for (long left = time.toNanos(); left > 0; left -= step) {
            pause(Duration.ofNanos(Math.min(step, left)));
            renewals.look();
        }
    }

    void passSeconds(double seconds) {
        pass(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    boolean isTrusted(Tenure tenure) {
        return renewals.isTrusted(tenure);
    }

    void failRenewals() {
        store.onRenew = extension ->
                CompletableFuture.failedFuture(new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down"));
    }

    void answerRenewals() {
        store.onRenew = extension -> CompletableFuture.completedFuture(FakeStore.extended(extension));
    }

    /** The only renewal of the n-th call. */
    Asked<Extension, ExtendResult> renewal(int n) {
        return store.renewals.get(n).get(0);
    }

    void answer(int n) {
        renewal(n).answer().complete(FakeStore.extended(renewal(n).question()));
    }
}
