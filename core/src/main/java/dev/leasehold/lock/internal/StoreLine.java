package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The waiters of this JVM at a store that waits by itself.
 *
 * <ol>
 *   <li>A waiter is one call, which lasts until it is granted or its time is over.
 *   <li>A waiter that leaves cancels its call. A grant that crosses with it is given back.
 *   <li>A holder trusts its lease from when it was asked for, and that was long ago if it had to wait. Such a grant is extended
 *       before it is handed over, so that its age is known.
 * </ol>
 */
final class StoreLine {
    private static final Logger log = LoggerFactory.getLogger(StoreLine.class);

    private final LockStore store;
    private final Timer timer;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

    StoreLine(LockStore store, Timer timer) {
        this.store = store;
        this.timer = timer;
    }

    void join(Waiter waiter) {
        waiters.add(waiter);
        waiter.asks();
        long sent = System.nanoTime();
        CompletableFuture<AcquireResult> asked = ask(waiter);
        Runnable unsignal = waiter.attempt()
                .signal()
                .onCancel(() -> waiter.result().completeExceptionally(LockException.aborted()));
        Futures.whenDone(waiter.result(), (won, failure) -> {
            waiters.remove(waiter);
            unsignal.run();
            asked.cancel(true);
        });
        Futures.whenDone(asked, (result, failure) -> answer(waiter, sent, result, failure));
    }

    private CompletableFuture<AcquireResult> ask(Waiter waiter) {
        try {
            return store.acquire(waiter.attempt(), waiter.patience());
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answer(Waiter waiter, long sent, @Nullable AcquireResult result, @Nullable Throwable failure) {
        if (result instanceof Granted granted) {
            if (System.nanoTime() - sent < Deadlines.of(waiter.attempt().ttl()).earlyNanos()) {
                hand(waiter, granted, sent);
            } else {
                refresh(waiter, granted);
            }
        } else if (failure != null) {
            waiter.result().completeExceptionally(Await.failure(failure));
        } else {
            waiter.result().complete(Optional.empty());
        }
    }

    private void refresh(Waiter waiter, Granted granted) {
        long sent = System.nanoTime();
        Futures.whenDone(
                store.extend(granted.lockId(), waiter.attempt().ttl()),
                (result, failure) -> refreshed(waiter, granted, sent, result, failure));
    }

    private void refreshed(
            Waiter waiter, Granted granted, long sent, @Nullable ExtendResult result, @Nullable Throwable failure) {
        if (result instanceof Extended extended) {
            Granted fresh = new Granted(granted.lockId(), granted.fence(), granted.acquiredAt(), extended.expiresAt());
            hand(waiter, fresh, sent);
        } else if (failure != null) {
            giveBack(waiter, granted);
            waiter.result().completeExceptionally(Await.failure(failure));
        } else {
            waiter.result().complete(Optional.empty());
        }
    }

    private void hand(Waiter waiter, Granted granted, long sent) {
        if (!waiter.result().complete(Optional.of(new Waiter.Won(granted, sent, 0)))) {
            giveBack(waiter, granted);
        }
    }

    /** Releases what nobody takes, unless it is an earlier grant of the same holder that somebody else still uses. */
    private void giveBack(Waiter waiter, Granted granted) {
        if (waiter.attempt().isNewGrant(granted.lockId())) {
            timer.callback(() -> Futures.logFailure(store.giveBack(waiter.attempt()), log, "give_back_failed"));
        }
    }

    /** Ends all waiting. */
    void abort() {
        waiters.forEach(waiter -> waiter.result().completeExceptionally(LockException.aborted()));
    }
}
