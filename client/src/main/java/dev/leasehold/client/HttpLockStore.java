package dev.leasehold.client;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
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
 * A {@link LockStore} over the native lock API.
 *
 * <p>The server waits. An acquire carries its lock id, so that it can be repeated, and released if no reply came.
 * {@link #extendAll} costs one call for each grant, as many at once as the {@link Transport} has connections.
 */
final class HttpLockStore implements LockStore {
    private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

    private final Timer timer = new Timer("leasehold-client");
    private final Transport transport;
    private final LockWaitLines lines;
    private final BackgroundReleases giveBacks;

    HttpLockStore(ClientConfig config) {
        this.transport = new Transport(config, timer);
        this.giveBacks = new BackgroundReleases(timer::after, lockId -> release(lockId, CancelSignal.none()));
        this.lines = new LockWaitLines(timer, this::ask, this::giveBackLater);
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
        call(LockCalls.acquire(attempt, wait), attempt.signal(), LockDecoder::acquired, result);
        Futures.whenDone(result, (granted, failure) -> {
            if (failure != null && LockReplies.isUnknown(failure)) {
                giveBackLater(attempt);
            }
        });
    }

    private void giveBackLater(AcquireAttempt attempt) {
        var unused = giveBack(attempt); // logs its failures and tries again
    }

    /**
     * A grant with a holder is not released: the same holder may have acquired it again, with the same lock id. If a lock id is acquired
     * again in this client, its release in the background is cancelled first.
     */
    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return attempt.holder() == null
                ? giveBacks.begin(attempt.lockId(), attempt.ttl())
                : CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        return call(LockCalls.release(lockId), signal, LockDecoder::released);
    }

    /**
     * Any failure, also a reply such as 503, leaves the lock possibly held, so the release is repeated in the background. That begins
     * before the caller is notified, so that an acquire with the same lock id can cancel it.
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
        return call(LockCalls.extend(extension), signal, LockDecoder::extended);
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        return extensions.stream()
                .map(extension -> extend(extension, CancelSignal.none()))
                .toList();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return call(LockCalls.isLocked(key), signal, LockDecoder::locked);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        return call(LockCalls.lookup(key), signal, LockDecoder::found);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        return call(LockCalls.lookup(lockId), signal, LockDecoder::found);
    }

    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return call(LockCalls.list(listing), CancelSignal.none(), LockDecoder::listed);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence, String reason) {
        return call(LockCalls.forceRelease(key, fence, reason), CancelSignal.none(), LockDecoder::forceReleased);
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        return call(LockCalls.renewHeld(key, holder, more), CancelSignal.none(), LockDecoder::renewed);
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        return call(LockCalls.releaseHeld(key, holder), CancelSignal.none(), LockDecoder::releasedByHolder);
    }

    private <T> CompletableFuture<T> call(HttpCall call, CancelSignal signal, Function<HttpReply, T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (signal.isCancelled()) {
            result.completeExceptionally(LockException.aborted());
        } else {
            call(call, signal, read, result);
        }
        return result;
    }

    private <T> void call(
            HttpCall call, CancelSignal signal, Function<HttpReply, T> read, CompletableFuture<T> result) {
        CompletableFuture<HttpReply> asked = transport.send(call);
        Runnable unsignal = signal.onCancel(() -> result.completeExceptionally(LockException.aborted()));
        Futures.whenDone(result, (value, failure) -> {
            unsignal.run();
            asked.cancel(true);
        });
        Futures.whenDone(asked, (reply, failure) -> settle(result, reply, failure, read));
    }

    private static <T> void settle(
            CompletableFuture<T> result,
            @Nullable HttpReply reply,
            @Nullable Throwable failure,
            Function<HttpReply, T> read) {
        try {
            if (reply != null) {
                result.complete(read.apply(reply));
            } else {
                result.completeExceptionally(LockReplies.failure(failure == null ? LockException.aborted() : failure));
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(LockReplies.failure(e));
        }
    }

    /** Wakes once, as every watch does at its start, and never again: calls wait at the server. */
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
