package dev.leasehold.lock.internal;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.engine.FakeStore.Asked;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;

/**
 * Renewals on clocks that the test moves. They look only when the test says so; the monotonic clock begins shortly before it
 * wraps around.
 */
final class RenewalsFixture {
    static final Duration TTL = Duration.ofSeconds(30);

    final FakeStore store = new FakeStore();
    final List<LockEvent> heard = new CopyOnWriteArrayList<>();
    final Renewals renewals;
    LockKey key = LockKey.of("ledger");
    private final List<Beat> beats = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(15).toNanos();
    private long wallMs = 1_900_000_000_000L;

    RenewalsFixture() {
        renewals = new Renewals(store, new LockEvents(heard::add), this::later, () -> nanos, () -> wallMs);
    }

    private record Beat(long atNanos, FutureTask<?> work) {}

    private FutureTask<?> later(long afterNanos, Runnable work) {
        Beat beat = new Beat(nanos + afterNanos, new FutureTask<>(work, null));
        beats.add(beat);
        return beat.work;
    }

    long nanos() {
        return nanos;
    }

    GrantValidity held(Duration ttl) {
        return add(ttl, true);
    }

    GrantValidity heldWithoutRenewal(Duration ttl) {
        return add(ttl, false);
    }

    private GrantValidity add(Duration ttl, boolean renew) {
        Granted granted = new Granted(LockId.generate(), Fence.of(41), FakeStore.START, FakeStore.START.plus(ttl));
        GrantValidity validity = new GrantValidity(new Grant(key, granted, ttl, renew, false, nanos, 0));
        renewals.add(validity);
        return validity;
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

    /** Lets a millisecond go by and runs the beats that are due, as a timer that is never late. */
    void tick() {
        pause(Duration.ofMillis(1));
        List<Beat> due =
                beats.stream().filter(beat -> beat.atNanos - nanos <= 0).toList();
        beats.removeAll(due);
        due.forEach(beat -> beat.work.run());
    }

    boolean isTrusted(GrantValidity validity) {
        return renewals.isTrusted(validity);
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
