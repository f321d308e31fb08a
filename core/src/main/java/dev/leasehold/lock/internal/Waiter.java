package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody who stands in a {@link WaitLine}: done when granted, when out of time (empty), or when cancelled. */
public final class Waiter {
    private final AcquireAttempt attempt;
    private final Duration patience;
    private final CompletableFuture<Optional<Won>> result = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();

    Waiter(AcquireAttempt attempt, Duration patience) {
        this.attempt = attempt;
        this.patience = patience;
    }

    /**
     * The grant and when it was asked for.
     *
     * @param turns how many of those in line may have it next before others get their chance
     */
    public record Won(Granted granted, long sentNanos, int turns) {}

    public CompletableFuture<Optional<Won>> result() {
        return result;
    }

    /** How often the store was asked on this waiter's behalf. */
    public int asked() {
        return asked.get();
    }

    AcquireAttempt attempt() {
        return attempt;
    }

    Duration patience() {
        return patience;
    }

    void asks() {
        asked.incrementAndGet();
    }
}
