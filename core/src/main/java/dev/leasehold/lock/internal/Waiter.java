package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A call that acquires: complete when it is granted, when its wait is over (empty), when it fails, or when it is cancelled. */
public final class Waiter {
    private final AcquireAttempt attempt;
    private final Duration waitFor;
    private final CompletableFuture<Optional<Won>> result = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();

    Waiter(AcquireAttempt attempt, Duration waitFor) {
        this.attempt = attempt;
        this.waitFor = waitFor;
    }

    /**
     * The grant, and when the attempt was sent.
     *
     * @param turns how many waiters of this JVM may be handed the lock, one after the other, before other JVMs get their chance
     */
    public record Won(Granted granted, long sentNanos, int turns) {}

    public CompletableFuture<Optional<Won>> result() {
        return result;
    }

    /** How many attempts were sent to the store. */
    public int asked() {
        return asked.get();
    }

    AcquireAttempt attempt() {
        return attempt;
    }

    Duration waitFor() {
        return waitFor;
    }

    void asks() {
        asked.incrementAndGet();
    }

    /** Returns false if the waiter is done already, so that the grant has no owner. */
    boolean win(Granted granted, long sentNanos, int turns) {
        return result.complete(Optional.of(new Won(granted, sentNanos, turns)));
    }

    void lose() {
        result.complete(Optional.empty());
    }

    void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }
}
