package dev.leasehold.queue;

import java.time.Duration;
import java.time.Instant;

/** When an item becomes ready. What lies in the past, or less than 100 ms ahead by the store's clock, is now. */
public sealed interface When {
    /** At once. */
    static When now() {
        return Now.NOW;
    }

    /** At a moment by the store's clock. */
    static When at(Instant moment) {
        return new At(moment);
    }

    /** A while from when the store carries the call out: no clock of the application is asked. */
    static When after(Duration delay) {
        return new After(delay);
    }

    /** At once. */
    enum Now implements When {
        NOW
    }

    /** At a moment. */
    record At(Instant moment) implements When {}

    /** After a while. */
    record After(Duration delay) implements When {}
}
