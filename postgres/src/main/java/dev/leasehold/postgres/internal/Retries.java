package dev.leasehold.postgres.internal;

import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Retries calls whose row or advisory lock another transaction holds: at once, then after 5 ms, doubling up to 320 ms, until their
 * timeout. After several tries a call waits on one of the {@link WaitingLanes}, if its statement supports that.
 */
final class Retries {
    /** How long a try takes that finds a row or a table locked, with a margin. */
    private static final long LOCK_WAIT_NANOS = Duration.ofMillis(150).toNanos();

    private final WaitingLanes waiting;
    private final Consumer<PendingCall<?, ?>> send;
    private final Timer timer;
    private final long timeoutNanos;
    private final Failures failures;
    private final Set<PendingCall<?, ?>> paused = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Retries(WaitingLanes waiting, Consumer<PendingCall<?, ?>> send, Timer timer, Duration timeout, Failures failures) {
        this.waiting = waiting;
        this.send = send;
        this.timer = timer;
        this.timeoutNanos = timeout.toNanos();
        this.failures = failures;
    }

    /** A message failed because of another transaction. A call whose wait failed is sent once more: the lock may be free by now. */
    void afterConflict(PendingCall<?, ?> call) {
        if (call.endWait()) {
            send.accept(call);
        } else {
            busy(call);
        }
    }

    /** A statement returned nothing for a call. */
    void busy(PendingCall<?, ?> call) {
        call.endWait();
        long pause = call.nextTryNanos();
        if (pause == 0) {
            send.accept(call);
        } else if (leftNanos(call) < pause + LOCK_WAIT_NANOS) {
            call.fail(failures.busy(call.kind().busyMessage()));
        } else {
            pause(call, pause);
        }
    }

    private void pause(PendingCall<?, ?> call, long nanos) {
        paused.add(call);
        timer.after(nanos, () -> {
            if (paused.remove(call)) {
                tryOrWait(call);
            }
        });
        if (closed) {
            failClosed(call); // close() may have missed it, and the timer has stopped
        }
    }

    private long leftNanos(PendingCall<?, ?> call) {
        return timeoutNanos - call.ageNanos(System.nanoTime());
    }

    /** A wait leaves time for one more try, and ends before the server's statement timeout. */
    private void tryOrWait(PendingCall<?, ?> call) {
        long wait = Math.min(leftNanos(call) - 2 * LOCK_WAIT_NANOS, timeoutNanos * 8 / 10);
        boolean isToWait = call.isContended() && wait > 0 && !call.isOver();
        if (!isToWait || !waiting.offer(call, wait)) {
            send.accept(call);
        }
    }

    /** The calls between two tries. */
    void forEach(Consumer<PendingCall<?, ?>> action) {
        paused.forEach(action);
    }

    /** Fails the calls between two tries; no other comes after them. */
    void close() {
        closed = true;
        paused.forEach(this::failClosed);
    }

    private void failClosed(PendingCall<?, ?> call) {
        if (paused.remove(call)) {
            call.fail(failures.closed());
        }
    }
}
