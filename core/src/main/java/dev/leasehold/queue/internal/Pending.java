package dev.leasehold.queue.internal;

import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Counts what is under way, so that closing can wait for it. */
final class Pending {
    private int count;

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
        notifyAll();
    }

    <T> CompletableFuture<T> track(CompletableFuture<T> call) {
        begin();
        Futures.whenDone(call, (value, failure) -> end());
        return call;
    }

    /** Waits until nothing is under way, at most so long; an interrupt ends the waiting and stays set. */
    synchronized void awaitNone(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            for (long left = timeout.toNanos(); count > 0 && left > 0; left = deadline - System.nanoTime()) {
                wait(Math.max(1, left / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
