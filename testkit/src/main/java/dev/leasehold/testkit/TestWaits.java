package dev.leasehold.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How tests wait: for a condition, with a limit that only guards against hanging. */
public final class TestWaits {
    /** Far longer than any step takes, also on a machine that is busy with other things. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** The limit of a whole test, in seconds. */
    public static final long TEST_LIMIT = 120;

    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final int TRIES = 5;

    private TestWaits() {}

    /** Waits for a condition; looks at once, and then often. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(INTERVAL);
    }

    /** Waits for a result. */
    public static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /**
     * Runs a test that has to do something before a short lease ends in real time. A machine that stands still for that long
     * makes it fail, so a try during which the machine was seen to stand still is repeated. Any other failure counts at once.
     */
    public static void inSeveralTries(IntConsumer test) {
        inSeveralTries(test, Stalls::watch);
    }

    static void inSeveralTries(IntConsumer test, Supplier<Stalls> watch) {
        for (int number = 1; ; number++) {
            Stalls stalls = watch.get();
            try (stalls) {
                test.accept(number);
                return;
            } catch (AssertionError | RuntimeException e) {
                if (number == TRIES || !stalls.seen()) {
                    throw e;
                }
            }
        }
    }
}
