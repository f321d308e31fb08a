package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.Await;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a lock is acquired, and how it is waited for.
 *
 * <ol>
 *   <li>A call makes one attempt. If it is refused and may wait, it joins the {@link WaitLine} of its key. If other calls of this JVM
 *       wait for the key already, it joins the line without an attempt.
 *   <li>A store that {@linkplain LockStore#waits() waits by itself} is given the whole wait in one call instead.
 *   <li>A holder that releases lets the next waiter of this JVM acquire in the same step.
 *   <li>A grant that races with a cancel is released.
 * </ol>
 */
public final class WaitLines {
    private static final Logger log = LoggerFactory.getLogger(WaitLines.class);

    private final LockStore store;
    private final Timer timer;
    private final Duration pollInterval;
    private final ConcurrentHashMap<LockKey, WaitLine> lines = new ConcurrentHashMap<>();
    private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public WaitLines(LockStore store, Timer timer, Duration pollInterval) {
        this.store = store;
        this.timer = timer;
        this.pollInterval = pollInterval;
    }

    /** Acquires, waiting for {@code wait} at most; {@code through} is the store for the first attempt. */
    public Waiter acquire(LockStore through, AcquireAttempt attempt, Duration wait) {
        if (!wait.isZero() && isWaitedFor(attempt.key())) {
            return join(attempt, wait);
        }
        Waiter waiter = new Waiter(attempt, wait);
        waiter.asks();
        long sent = System.nanoTime();
        CompletableFuture<AcquireResult> asked = through.acquire(attempt);
        Futures.whenDone(waiter.result(), (won, failure) -> asked.cancel(true));
        Futures.whenDone(asked, (result, failure) -> answerFirst(waiter, sent, result, failure));
        return waiter;
    }

    private void answerFirst(Waiter waiter, long sent, @Nullable AcquireResult result, @Nullable Throwable failure) {
        if (result instanceof Granted granted) {
            win(waiter, granted, sent);
        } else if (failure != null) {
            waiter.fail(Await.failure(failure));
        } else if (waiter.waitFor().isZero()) {
            waiter.lose();
        } else if (!waiter.result().isDone()) {
            join(waiter);
        }
    }

    /** Whether a call that may wait for {@code key} joins at once: others wait already, or the store does the waiting. */
    boolean isWaitedFor(LockKey key) {
        return store.waits() || lines.containsKey(key);
    }

    /** How many calls of this JVM wait, for whatever key. */
    public int count() {
        return waiting.size();
    }

    /** Waits for {@code wait} at most, without an attempt before. */
    public Waiter join(AcquireAttempt attempt, Duration wait) {
        Waiter waiter = new Waiter(attempt, wait);
        join(waiter);
        return waiter;
    }

    private void join(Waiter waiter) {
        waiting.add(waiter);
        Runnable unsignal = waiter.attempt().signal().onCancel(() -> waiter.fail(LockException.aborted()));
        Futures.whenDone(waiter.result(), (won, failure) -> {
            waiting.remove(waiter);
            unsignal.run();
        });
        if (store.waits()) {
            waitInStore(waiter);
        } else {
            waitInLine(waiter);
        }
        if (closed) {
            waiter.fail(LockException.aborted());
        }
    }

    private void waitInLine(Waiter waiter) {
        WaitLine line;
        do {
            line = lines.computeIfAbsent(
                    waiter.attempt().key(), key -> new WaitLine(key, store, timer, pollInterval, this::ended));
        } while (!line.join(waiter));
    }

    private void ended(WaitLine line) {
        lines.remove(line.key(), line);
    }

    private void waitInStore(Waiter waiter) {
        waiter.asks();
        long sent = System.nanoTime();
        CompletableFuture<AcquireResult> asked;
        try {
            asked = store.acquire(waiter.attempt(), waiter.waitFor());
        } catch (RuntimeException | Error e) {
            waiter.fail(Await.failure(e));
            return;
        }
        Futures.whenDone(waiter.result(), (won, failure) -> asked.cancel(true));
        Futures.whenDone(asked, (result, failure) -> answerOfStore(waiter, sent, result, failure));
    }

    private void answerOfStore(Waiter waiter, long sent, @Nullable AcquireResult result, @Nullable Throwable failure) {
        if (result instanceof Granted granted) {
            boolean isFresh = System.nanoTime() - sent
                    < Deadlines.of(waiter.attempt().ttl()).earlyNanos();
            if (isFresh) {
                win(waiter, granted, sent);
            } else {
                refresh(waiter, granted);
            }
        } else if (failure != null) {
            waiter.fail(Await.failure(failure));
        } else {
            waiter.lose();
        }
    }

    /**
     * A holder trusts its grant from when the attempt was sent, which is long ago after a wait in the store. An extension makes the age
     * of the grant known.
     */
    private void refresh(Waiter waiter, Granted granted) {
        long sent = System.nanoTime();
        Futures.whenDone(
                store.extend(granted.lockId(), waiter.attempt().ttl()),
                (result, failure) -> refreshed(waiter, granted, sent, result, failure));
    }

    private void refreshed(
            Waiter waiter, Granted granted, long sent, @Nullable ExtendResult result, @Nullable Throwable failure) {
        if (result instanceof Extended extended) {
            win(
                    waiter,
                    new Granted(granted.lockId(), granted.fence(), granted.acquiredAt(), extended.expiresAt()),
                    sent);
        } else if (failure != null) {
            giveBack(waiter.attempt(), granted);
            waiter.fail(Await.failure(failure));
        } else {
            waiter.lose();
        }
    }

    private void win(Waiter waiter, Granted granted, long sent) {
        if (!waiter.win(granted, sent, 0)) {
            giveBack(waiter.attempt(), granted);
        }
    }

    /** Releases a grant without an owner, unless it is an earlier grant of the same holder that another call still uses. */
    public void giveBack(AcquireAttempt attempt, Granted granted) {
        if (attempt.isNewGrant(granted.lockId())) {
            Futures.logFailure(store.giveBack(attempt), log, "give_back_failed");
        }
    }

    /**
     * Ends a grant. The next waiter of this JVM acquires in the same step, as long as the grant has turns left.
     *
     * @param repeatFor how long a store that is reached over a network may repeat the release in the background
     */
    public CompletableFuture<ReleaseResult> release(LockStore through, Grant grant, Duration repeatFor) {
        WaitLine line = grant.turns() > 0 && through.handsOver() ? lines.get(grant.key()) : null;
        Waiter next = line == null ? null : line.beginHandOver();
        if (line == null || next == null) {
            return through.releaseFromHandle(grant.lockId(), repeatFor);
        }
        long sent = System.nanoTime();
        HandOver handOver;
        try {
            handOver = through.handOver(grant.lockId(), next.attempt());
        } catch (RuntimeException | Error e) {
            line.answer(next, sent, 0, null, e);
            throw e;
        }
        Futures.whenDone(handOver.acquired(), (result, failure) -> {
            line.answer(next, sent, grant.turns() - 1, result, failure);
            if (!(result instanceof Granted)) {
                Futures.whenDone(handOver.released(), (released, releaseFailure) -> line.wake());
            }
        });
        return handOver.released();
    }

    /** Ends all waiting as Aborted, and that of calls that come later. */
    public void close() {
        closed = true;
        waiting.forEach(waiter -> waiter.fail(LockException.aborted()));
    }
}
