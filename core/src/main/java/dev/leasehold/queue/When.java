package dev.leasehold.queue;

import java.time.Duration;
import java.time.Instant;

/**
 * When an item becomes ready. What lies in the past, or less than 100 ms ahead by the store's clock, is now. A produce refuses an
 * item that would expire before it is ready.
 */
public sealed interface When {
    /** At once. */
    static When now() {
        return Now.NOW;
    }

    /** At a moment by the store's clock. */
    static When at(Instant moment) {
        return new At(moment, false);
    }

    /** A while from when the store carries the call out: no clock of the application is asked. */
    static When after(Duration delay) {
        return new After(delay, false);
    }

    /** The same, accepted even if the item expires before: it is dead when its time comes. For the Querator API. */
    When lenient();

    /** Whether it is accepted even if the item expires before. */
    boolean isLenient();

    /** At once. */
    enum Now implements When {
        NOW;

        @Override
        public When lenient() {
            return this;
        }

        @Override
        public boolean isLenient() {
            return true;
        }
    }

    /** At a moment. */
    record At(Instant moment, boolean isLenient) implements When {
        @Override
        public When lenient() {
            return new At(moment, true);
        }
    }

    /** After a while. */
    record After(Duration delay, boolean isLenient) implements When {
        @Override
        public When lenient() {
            return new After(delay, true);
        }
    }
}
