package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.lock.spi.Await;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.LockStore.Watch;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this JVM for one key, first come, first served.
 *
 * <ol>
 *   <li>Only the head of the line makes attempts, and only one attempt is in flight at a time.
 *   <li>It tries when the store wakes the line: once the watch is in effect, and whenever the key may have become free.
 *   <li>In case no wake-up comes, it also tries when the present grant expires, and polls slowly at random intervals.
 *   <li>A holder of this JVM that releases lets the head try in the same step, for as many turns as there were waiters when the
 *       lock came to this JVM. Then other JVMs get their chance.
 *   <li>A grant for a waiter that left meanwhile is released, and the line tries for the next waiter.
 *   <li>An empty line ends: it closes its watch and is not joined again.
 * </ol>
 *
 * State is guarded by this object's monitor. Futures of waiters have only quick dependents, so they are completed inside it.
 */
final class WaitLine {
    private static final long JITTER_NANOS = Duration.ofMillis(10).toNanos();
    private static final int MOST_TURNS = 16;

    private final LockKey key;
    private final LockStore store;
    private final Timer timer;
    private final Duration pollInterval;
    private final Consumer<WaitLine> onEnd;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private @Nullable Watch watch;
    private @Nullable Future<?> poll;
    private boolean asking;
    private boolean wokenWhileAsking;
    private boolean ended;

    WaitLine(LockKey key, LockStore store, Timer timer, Duration pollInterval, Consumer<WaitLine> onEnd) {
        this.key = key;
        this.store = store;
        this.timer = timer;
        this.pollInterval = pollInterval;
        this.onEnd = onEnd;
    }

    LockKey key() {
        return key;
    }

    /** Adds a waiter; false if this line has ended. */
    synchronized boolean join(Waiter waiter) {
        if (ended) {
            return false;
        }
        waiters.add(waiter);
        Future<?> deadline = timer.schedule(Nanos.of(waiter.waitFor()), waiter::lose);
        Futures.whenDone(waiter.result(), (result, failure) -> {
            deadline.cancel(false);
            leave(waiter);
        });
        if (watch == null && !ended) {
            watch = store.watch(key, this::wake);
            if (ended) {
                watch.close();
            } else if (poll == null && !asking) {
                askAgainIn(pollInterval);
            }
        }
        return true;
    }

    private synchronized void leave(Waiter waiter) {
        waiters.remove(waiter);
        if (waiters.isEmpty()) {
            endUnlessEnded();
        }
    }

    private void endUnlessEnded() {
        if (ended) {
            return;
        }
        ended = true;
        cancelPoll();
        if (watch != null) {
            watch.close();
        }
        onEnd.accept(this);
    }

    /** The key may be free: try, or try again after the attempt that is in flight. */
    synchronized void wake() {
        if (asking) {
            wokenWhileAsking = true;
        } else {
            ask();
        }
    }

    private void ask() {
        Waiter head = nextInLine();
        if (head == null) {
            endUnlessEnded();
            return;
        }
        begin(head);
        long sent = System.nanoTime();
        CompletableFuture<AcquireResult> asked;
        try {
            asked = store.acquire(head.attempt());
        } catch (RuntimeException | Error e) {
            asked = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(asked, (result, failure) -> answer(head, sent, MOST_TURNS, result, failure));
    }

    private void begin(Waiter head) {
        asking = true;
        wokenWhileAsking = false;
        cancelPoll();
        head.asks();
    }

    /** The head, whose next attempt the caller sends and {@link #answer answers}; null if there is none or an attempt is in flight. */
    synchronized @Nullable Waiter beginHandOver() {
        Waiter head = asking ? null : nextInLine();
        if (head != null) {
            begin(head);
        }
        return head;
    }

    /**
     * The head, without waiters that are done. They leave by themselves, but the thread that removes them may still wait for the monitor,
     * and another attempt for one of them would repeat its grant only to release it.
     */
    private @Nullable Waiter nextInLine() {
        Waiter head;
        while ((head = waiters.peek()) != null && head.result().isDone()) {
            waiters.remove();
        }
        return head;
    }

    /** @param turns how many of the line may be handed the lock after the head, if it is granted */
    synchronized void answer(
            Waiter head, long sent, int turns, @Nullable AcquireResult result, @Nullable Throwable failure) {
        asking = false;
        if (result instanceof Granted granted) {
            int others = waiters.size() - (waiters.contains(head) ? 1 : 0);
            granted(head, granted, sent, Math.min(turns, others));
        } else if (result instanceof Locked locked) {
            askAgainIn(locked.freeIn());
        } else {
            head.fail(Await.failure(failure == null ? LockException.aborted() : failure));
            askAgainIn(Duration.ZERO);
        }
    }

    private void granted(Waiter head, Granted granted, long sent, int turns) {
        if (head.win(granted, sent, turns)) {
            askAgainIn(head.attempt().ttl());
        } else {
            giveBack(head, granted);
        }
    }

    /**
     * Releases a grant that came too late, unless it is an earlier grant of the same holder that another call still uses. In another
     * thread: a store may wake other lines in the thread that releases, and this thread holds the monitor.
     */
    private void giveBack(Waiter head, Granted granted) {
        if (head.attempt().isNewGrant(granted.lockId())) {
            timer.callback(() -> Futures.whenDone(store.giveBack(head.attempt()), (released, failure) -> wake()));
        } else {
            askAgainIn(head.attempt().ttl());
        }
    }

    private void askAgainIn(Duration freeIn) {
        if (ended) {
            return;
        }
        if (wokenWhileAsking) {
            wokenWhileAsking = false;
            ask();
            return;
        }
        double share = 0.5 + ThreadLocalRandom.current().nextDouble() / 2;
        long slow = (long) (Nanos.of(pollInterval) * share);
        long atExpiry = freeIn.isZero()
                ? 0
                : Nanos.of(freeIn) + ThreadLocalRandom.current().nextLong(JITTER_NANOS);
        cancelPoll();
        poll = timer.schedule(Math.min(slow, atExpiry), this::wake);
    }

    private void cancelPoll() {
        if (poll != null) {
            poll.cancel(false);
            poll = null;
        }
    }
}
