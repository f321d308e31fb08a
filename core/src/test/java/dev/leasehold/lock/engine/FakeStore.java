package dev.leasehold.lock.engine;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.admin.Capabilities.TimeAuthority;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A store that answers what the test says and remembers what it was asked. Unless told otherwise attempts and renewals stay
 * open until the test completes them, releases and extensions succeed at once, and nothing is found.
 */
public final class FakeStore implements LockStore {
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /** A question and the future of its answer. */
    public record Asked<Q, A>(Q question, CancelSignal signal, CompletableFuture<A> answer) {}

    public final List<Asked<AcquireAttempt, AcquireResult>> acquires = new CopyOnWriteArrayList<>();
    public final List<Asked<LockId, ReleaseResult>> releases = new CopyOnWriteArrayList<>();
    public final List<Asked<Extension, ExtendResult>> extensions = new CopyOnWriteArrayList<>();
    public final List<List<Asked<Extension, ExtendResult>>> renewals = new CopyOnWriteArrayList<>();
    public final List<Object> lookups = new CopyOnWriteArrayList<>();
    public final List<FakeWatch> watches = new CopyOnWriteArrayList<>();
    public final List<LockId> handedOver = new CopyOnWriteArrayList<>();
    public final List<Duration> waits = new CopyOnWriteArrayList<>();
    public volatile boolean closed;

    /** Whether it does the waiting itself. */
    public volatile boolean waiting;

    public volatile Function<AcquireAttempt, CompletableFuture<AcquireResult>> onAcquire =
            attempt -> new CompletableFuture<>();
    public volatile Function<LockId, CompletableFuture<ReleaseResult>> onRelease =
            lockId -> CompletableFuture.completedFuture(ReleaseResult.RELEASED);
    public volatile Function<Extension, CompletableFuture<ExtendResult>> onExtend =
            extension -> CompletableFuture.completedFuture(extended(extension));
    public volatile Function<Extension, CompletableFuture<ExtendResult>> onRenew =
            extension -> new CompletableFuture<>();
    public volatile Function<Object, CompletableFuture<Optional<LockInfo>>> onLookup =
            keyOrLockId -> CompletableFuture.completedFuture(Optional.empty());
    public volatile Consumer<FakeWatch> onWatch = watch -> {};

    private final AtomicLong fences = new AtomicLong();

    /** Grants every attempt at once. */
    public FakeStore granting() {
        onAcquire = attempt -> CompletableFuture.completedFuture(grant(attempt));
        return this;
    }

    /** Refuses every attempt at once. */
    public FakeStore locked() {
        onAcquire = attempt -> CompletableFuture.completedFuture(new Locked(Duration.ofHours(1)));
        return this;
    }

    public Granted grant(AcquireAttempt attempt) {
        return grant(attempt, attempt.lockId());
    }

    public Granted grant(AcquireAttempt attempt, LockId lockId) {
        return new Granted(lockId, Fence.of(fences.incrementAndGet()), START, START.plus(attempt.ttl()));
    }

    public static Extended extended(Extension extension) {
        return new Extended(START.plusSeconds(1).plus(extension.ttl()));
    }

    /** The n-th attempt, from 0. */
    public Asked<AcquireAttempt, AcquireResult> acquire(int n) {
        return acquires.get(n);
    }

    public void answerGranted(int n) {
        Asked<AcquireAttempt, AcquireResult> asked = acquires.get(n);
        asked.answer().complete(grant(asked.question()));
    }

    public void answerLocked(int n) {
        acquires.get(n).answer().complete(new Locked(Duration.ofHours(1)));
    }

    public List<LockId> released() {
        return releases.stream().map(Asked::question).toList();
    }

    public List<FakeWatch> openWatches() {
        return watches.stream().filter(watch -> !watch.closed).toList();
    }

    /** Tells every open watch that its key may be free. */
    public void wakeAll() {
        openWatches().forEach(watch -> watch.wakeUp.run());
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        CompletableFuture<AcquireResult> answer = onAcquire.apply(attempt);
        acquires.add(new Asked<>(attempt, attempt.signal(), answer));
        return answer;
    }

    @Override
    public boolean waits() {
        return waiting;
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt, Duration wait) {
        waits.add(wait);
        return acquire(attempt);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence) {
        return CompletableFuture.completedFuture(fence.value() == 1);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        Asked<LockId, ReleaseResult> asked = new Asked<>(lockId, signal, new CompletableFuture<>());
        releases.add(asked);
        pass(onRelease.apply(lockId), asked.answer());
        return asked.answer();
    }

    @Override
    public boolean handsOver() {
        return true;
    }

    @Override
    public HandOver handOver(LockId lockId, AcquireAttempt next) {
        handedOver.add(lockId);
        return new HandOver(release(lockId), acquire(next));
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        Asked<Extension, ExtendResult> asked = new Asked<>(extension, signal, new CompletableFuture<>());
        extensions.add(asked);
        pass(onExtend.apply(extension), asked.answer());
        return asked.answer();
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> wishes) {
        List<Asked<Extension, ExtendResult>> batch = wishes.stream()
                .map(wish -> new Asked<>(wish, CancelSignal.none(), new CompletableFuture<ExtendResult>()))
                .toList();
        renewals.add(batch);
        batch.forEach(asked -> pass(onRenew.apply(asked.question()), asked.answer()));
        return batch.stream().map(Asked::answer).toList();
    }

    private static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
        Futures.whenDone(from, (value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return lookup(key, signal).thenApply(Optional::isPresent);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        lookups.add(key);
        return onLookup.apply(key);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        lookups.add(lockId);
        return onLookup.apply(lockId);
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        FakeWatch watch = new FakeWatch(key, wakeUp);
        watches.add(watch);
        onWatch.accept(watch);
        return watch;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("fake", true, TimeAuthority.SERVER);
    }

    @Override
    public void close() {
        closed = true;
    }

    /** A watch that the test wakes. */
    public static final class FakeWatch implements Watch {
        public final LockKey key;
        public final Runnable wakeUp;
        public volatile boolean closed;

        FakeWatch(LockKey key, Runnable wakeUp) {
            this.key = key;
            this.wakeUp = wakeUp;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
