package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.HandlerTimeoutException;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Interrupts a handler that runs for too long, and only while it runs: the next turn in its thread is not interrupted. */
final class HandlerTimeout {
    private static final Logger log = LoggerFactory.getLogger(HandlerTimeout.class);

    private final ConsumerScope scope;
    private final Thread thread = Thread.currentThread();
    private @Nullable Future<?> timer;
    private boolean hasRung;
    private boolean isOver;

    private HandlerTimeout(ConsumerScope scope) {
        this.scope = scope;
    }

    /** Starts to measure the time of a handler that runs in this thread. */
    static HandlerTimeout set(ConsumerScope scope) {
        HandlerTimeout alarm = new HandlerTimeout(scope);
        Duration timeout = scope.options().handlerTimeout();
        if (!timeout.isZero()) {
            alarm.start(Nanos.of(timeout));
        }
        return alarm;
    }

    private void start(long nanos) {
        try {
            timer = scope.loop().schedule(nanos, this::ring);
        } catch (RejectedExecutionException e) {
            log.trace("event=handler_alarm_not_set", e); // the consumer has given up already
        }
    }

    private synchronized void ring() {
        if (!isOver) {
            hasRung = true;
            thread.interrupt();
        }
    }

    synchronized boolean hasRung() {
        return hasRung;
    }

    HandlerTimeoutException exception(Throwable cause) {
        return new HandlerTimeoutException(scope.queue().name(), scope.options().handlerTimeout(), cause);
    }

    /** The handler has ended. An interrupt that came from here ends with it. */
    synchronized void cancel() {
        isOver = true;
        if (timer != null) {
            timer.cancel(false);
        }
        if (hasRung) {
            var unused = Thread.interrupted();
        }
    }
}
