package dev.leasehold.testkit.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polls a condition until it holds. */
public final class Polling {
    private static final long PAUSE_MILLIS = 20;

    private Polling() {}

    /** Waits until {@code condition} holds; throws, saying what it waited for, when the time is over. */
    public static void await(String what, Duration atMost, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new HarnessException(
                        "waited " + atMost.toSeconds() + " s for " + what + ", which did not happen");
            }
            sleep(PAUSE_MILLIS);
        }
    }

    /** Sleeps; throws when interrupted. */
    public static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }
}
