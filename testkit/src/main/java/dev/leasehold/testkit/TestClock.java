package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The time of a store under test, in epoch milliseconds: it runs as the real one does, and tests can move it. */
public final class TestClock implements LongSupplier {
    private final AtomicLong offsetMs = new AtomicLong();
    private final Consumer<Duration> onMove;

    public TestClock() {
        this(by -> {});
    }

    /** A clock that tells how far it is moved, for others that are to show the same time. */
    public TestClock(Consumer<Duration> onMove) {
        this.onMove = onMove;
    }

    @Override
    public long getAsLong() {
        return System.currentTimeMillis() + offsetMs.get();
    }

    /** Moves the time forward, or back if negative. */
    public void advance(Duration by) {
        offsetMs.addAndGet(by.toMillis());
        onMove.accept(by);
    }
}
