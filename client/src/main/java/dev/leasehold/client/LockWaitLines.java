package dev.leasehold.client;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this client, one FIFO line for each key.
 *
 * <ol>
 *   <li>Only the head of a line waits at the server, so a line takes one connection however long it is.
 *   <li>A server holds a call for 15 minutes at most; a longer wait is several calls. If the server refuses earlier, because it stops, the
 *       call is repeated after a pause.
 *   <li>Cancelling a waiter behind the head costs no call; cancelling the head cancels its call.
 * </ol>
 */
final class LockWaitLines {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
    private static final long PAUSE = Duration.ofMillis(100).toNanos();

    /** Waiters are often cancelled together, so a new head pauses before it calls the server. */
    private static final long LOOK_AROUND = Duration.ofMillis(1).toNanos();

    private final Timer timer;
    private final BiFunction<AcquireAttempt, Duration, CompletableFuture<AcquireResult>> ask;
    private final Consumer<AcquireAttempt> giveBack;
    private final Map<LockKey, Deque<Turn>> lines = new HashMap<>();

    LockWaitLines(
            Timer timer,
            BiFunction<AcquireAttempt, Duration, CompletableFuture<AcquireResult>> ask,
            Consumer<AcquireAttempt> giveBack) {
        this.timer = timer;
        this.ask = ask;
        this.giveBack = giveBack;
    }

    CompletableFuture<AcquireResult> join(AcquireAttempt attempt, Duration wait) {
        Turn turn = new Turn(attempt, System.nanoTime() + Nanos.of(wait));
        Future<?> deadline = timer.schedule(Nanos.of(wait), turn::giveUpUnlessAsking);
        boolean isFirst;
        synchronized (this) {
            Deque<Turn> line = lines.computeIfAbsent(attempt.key(), key -> new ArrayDeque<>());
            line.add(turn);
            isFirst = line.size() == 1;
        }
        Futures.whenDone(turn.result, (result, failure) -> {
            deadline.cancel(false);
            leave(turn);
        });
        if (isFirst) {
            turn.ask();
        }
        return turn.result;
    }

    private void leave(Turn turn) {
        boolean wasFirst;
        synchronized (this) {
            Deque<Turn> line = lines.getOrDefault(turn.attempt.key(), new ArrayDeque<>());
            wasFirst = line.peek() == turn;
            line.remove(turn);
            if (line.isEmpty()) {
                lines.remove(turn.attempt.key(), line);
                return;
            }
        }
        if (wasFirst) {
            timer.after(LOOK_AROUND, () -> moveUp(turn.attempt.key()));
        }
    }

    private void moveUp(LockKey key) {
        Turn first;
        synchronized (this) {
            Deque<Turn> line = lines.get(key);
            first = line == null ? null : line.peek();
        }
        if (first != null) {
            first.ask();
        }
    }

    private final class Turn {
        private final AcquireAttempt attempt;
        private final long untilNanos;
        private final CompletableFuture<AcquireResult> result = new CompletableFuture<>();
        private boolean asking;

        Turn(AcquireAttempt attempt, long untilNanos) {
            this.attempt = attempt;
            this.untilNanos = untilNanos;
        }

        /** Waits at the server, unless it does already. */
        void ask() {
            synchronized (this) {
                if (asking || result.isDone()) {
                    return;
                }
                asking = true;
            }
            long left = Math.max(0, untilNanos - System.nanoTime());
            Duration wait = Duration.ofNanos(Math.min(left, LONGEST_WAIT.toNanos()));
            CompletableFuture<AcquireResult> asked = LockWaitLines.this.ask.apply(attempt, wait);
            Futures.whenDone(result, (done, failure) -> asked.cancel(true));
            Futures.whenDone(asked, this::answered);
        }

        private void answered(@Nullable AcquireResult reply, @Nullable Throwable failure) {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (reply instanceof Locked && untilNanos - System.nanoTime() > 0) {
                askAgainSoon();
            } else if (!result.complete(reply) && reply instanceof Granted granted) {
                giveBackUnlessRepeated(granted);
            }
        }

        /** It was cancelled as the grant came. An earlier grant of the same holder, which may be in use, has another lock id. */
        private void giveBackUnlessRepeated(Granted granted) {
            if (attempt.isNewGrant(granted.lockId())) {
                giveBack.accept(attempt);
            }
        }

        private void askAgainSoon() {
            synchronized (this) {
                asking = false;
            }
            long left = untilNanos - System.nanoTime();
            timer.after(Math.min(left, PAUSE), this::ask);
        }

        private void giveUpUnlessAsking() {
            synchronized (this) {
                if (asking) {
                    return;
                }
            }
            result.complete(LockDecoder.LOCKED);
        }
    }
}
