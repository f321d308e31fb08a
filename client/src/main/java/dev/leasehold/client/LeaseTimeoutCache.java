package dev.leasehold.client;

import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Caches the lease timeout of a queue for a consumer, and refreshes it in the background every few seconds. */
final class LeaseTimeoutCache implements Supplier<Duration> {
    /** Assumed until it is known: leases are then extended too often rather than too late. */
    private static final Duration UNKNOWN = Duration.ofSeconds(1);

    private static final long FRESH = Duration.ofSeconds(5).toNanos();

    private final Supplier<CompletableFuture<Duration>> ask;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Duration known = UNKNOWN;
    private volatile long askAtNanos = System.nanoTime();

    LeaseTimeoutCache(Supplier<CompletableFuture<Duration>> ask) {
        this.ask = ask;
    }

    @Override
    public Duration get() {
        if (System.nanoTime() - askAtNanos >= 0 && asking.compareAndSet(false, true)) {
            askAtNanos = System.nanoTime() + FRESH;
            Futures.whenDone(ask.get(), (timeout, failure) -> {
                if (timeout != null) {
                    known = timeout;
                }
                asking.set(false);
            });
        }
        return known;
    }
}
