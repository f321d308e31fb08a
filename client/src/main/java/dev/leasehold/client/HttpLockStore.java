package dev.leasehold.client;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Capabilities;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.HolderLocks.HeldBy;
import dev.leasehold.lock.HolderLocks.Release;
import dev.leasehold.lock.ListedLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockListing;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The locks of servers, through their native door.
 *
 * <p>Waiting is the server's. An acquire names its lock id, so that it can be repeated, and given back if no answer came.
 * {@link #extendAll} costs one call for each grant, as many at once as the {@link Transport} has connections.
 */
final class HttpLockStore implements LockStore {
    private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

    private final Timer timer = new Timer("leasehold-client");
    private final Transport transport;
    private final LockLines lines;
    private final GiveBacks giveBacks;

    HttpLockStore(ClientConfig config) {
        this.transport = new Transport(config, timer);
        this.giveBacks = new GiveBacks(timer::after, lockId -> release(lockId, CancelSignal.none()));
        this.lines = new LockLines(timer, this::ask, this::giveBackLater);
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        return ask(attempt, Duration.ZERO);
    }

    @Override
    public boolean waits() {
        return true;
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt, Duration wait) {
        return lines.join(attempt, wait);
    }

    private CompletableFuture<AcquireResult> ask(AcquireAttempt attempt, Duration wait) {
        CompletableFuture<AcquireResult> result = new CompletableFuture<>();
        CompletableFuture<?> calledOff = giveBacks.callOff(attempt.lockId());
        if (calledOff == null) {
            ask(attempt, wait, result);
        } else {
            Futures.whenDone(calledOff, (done, failure) -> ask(attempt, wait, result));
        }
        return result;
    }

    private void ask(AcquireAttempt attempt, Duration wait, CompletableFuture<AcquireResult> result) {
        if (attempt.signal().isCancelled()) {
            result.completeExceptionally(LockException.aborted());
        }
        if (result.isDone()) {
            return;
        }
        call(LockPosts.acquire(attempt, wait), attempt.signal(), LockReader::acquired, result);
        Futures.whenDone(result, (granted, failure) -> {
            if (failure != null && LockAnswers.isUnknown(failure)) {
                giveBackLater(attempt);
            }
        });
    }

    private void giveBackLater(AcquireAttempt attempt) {
        var unused = giveBack(attempt); // logs its failures and tries again
    }

    /**
     * What the same holder can ask for again, and perhaps has, is left alone: a release by lock id alone would hit that. If a lock
     * id is asked for again here, giving it back is called off first.
     */
    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return attempt.holder() == null
                ? giveBacks.begin(attempt.lockId(), attempt.ttl())
                : CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        return call(LockPosts.release(lockId), signal, LockReader::released);
    }

    /**
     * A failure may be an answer, such as 503, but never says that the lock is free: each is a reason to repeat the release. That begins
     * before the caller is told, so that an acquire with the same lock id can call it off.
     */
    @Override
    public CompletableFuture<ReleaseResult> releaseFromHandle(LockId lockId, Duration repeatFor) {
        CompletableFuture<ReleaseResult> result = new CompletableFuture<>();
        Futures.whenDone(release(lockId, CancelSignal.none()), (released, failure) -> {
            if (failure == null) {
                result.complete(released);
                return;
            }
            if (!repeatFor.isZero()) {
                giveBacks.repeat(lockId, repeatFor);
            }
            result.completeExceptionally(failure);
        });
        return result;
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        return call(LockPosts.extend(extension), signal, LockReader::extended);
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        return extensions.stream()
                .map(extension -> extend(extension, CancelSignal.none()))
                .toList();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return call(LockPosts.isLocked(key), signal, LockReader::locked);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        return call(LockPosts.lookup(key), signal, LockReader::found);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        return call(LockPosts.lookup(lockId), signal, LockReader::found);
    }

    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return call(LockPosts.list(listing), CancelSignal.none(), LockReader::listed);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence, String reason) {
        return call(LockPosts.forceRelease(key, fence, reason), CancelSignal.none(), LockReader::forceReleased);
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        return call(LockPosts.renewHeld(key, holder, more), CancelSignal.none(), LockReader::renewed);
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        return call(LockPosts.releaseHeld(key, holder), CancelSignal.none(), LockReader::releasedByHolder);
    }

    private <T> CompletableFuture<T> call(Post post, CancelSignal signal, Function<Answer, T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (signal.isCancelled()) {
            result.completeExceptionally(LockException.aborted());
        } else {
            call(post, signal, read, result);
        }
        return result;
    }

    private <T> void call(Post post, CancelSignal signal, Function<Answer, T> read, CompletableFuture<T> result) {
        CompletableFuture<Answer> asked = transport.send(post);
        Runnable unsignal = signal.onCancel(() -> result.completeExceptionally(LockException.aborted()));
        Futures.whenDone(result, (value, failure) -> {
            unsignal.run();
            asked.cancel(true);
        });
        Futures.whenDone(asked, (answer, failure) -> settle(result, answer, failure, read));
    }

    private static <T> void settle(
            CompletableFuture<T> result,
            @Nullable Answer answer,
            @Nullable Throwable failure,
            Function<Answer, T> read) {
        try {
            if (answer != null) {
                result.complete(read.apply(answer));
            } else {
                result.completeExceptionally(LockAnswers.failure(failure == null ? LockException.aborted() : failure));
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(LockAnswers.failure(e));
        }
    }

    /** Wakes once, as a watch does, and never again: whoever waits does so at the server. */
    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        timer.callback(wakeUp);
        return () -> {};
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("http", true, Capabilities.TimeAuthority.SERVER);
    }

    @Override
    public void close() {
        giveBacks.finish(LAST_MOMENT);
        transport.close();
        timer.close();
    }
}
