package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The time of a store under test, in epoch milliseconds: it runs as the real one does, and tests can move and stop it. */
public final class TestClock implements LongSupplier {
    /** Hears what is done to a clock, for others that are to show the same time. */
    public interface Listener {
        /** It was moved forward, or back if negative. */
        void moved(Duration by);

        /** It was stopped when the real time was this, in epoch milliseconds. */
        void stopped(long realMs);
    }

    private final AtomicLong offsetMs = new AtomicLong();
    private final @Nullable Listener listener;
    private volatile @Nullable Long stoppedMs;

    /** A clock that stands at a fixed moment. */
    public TestClock() {
        this(null);
    }

    /** A clock that says what is done to it. */
    public TestClock(@Nullable Listener listener) {
        this.listener = listener;
    }

    @Override
    public long getAsLong() {
        Long stopped = stoppedMs;
        return (stopped == null ? System.currentTimeMillis() : stopped) + offsetMs.get();
    }

    /** Moves the time forward, or back if negative. */
    public void advance(Duration by) {
        offsetMs.addAndGet(by.toMillis());
        if (listener != null) {
            listener.moved(by);
        }
    }

    /** Stops the time: from now on only {@link #advance} moves it, and a test may be as slow as the machine makes it. */
    public void stop() {
        stopAt(System.currentTimeMillis());
    }

    /** Stops the time as another clock was stopped, when the real time was this. */
    public void stopAt(long realMs) {
        stoppedMs = realMs;
        if (listener != null) {
            listener.stopped(realMs);
        }
    }
}
