package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Puts back what a fault has changed in the server: also if it was restarted meanwhile, or is still recovering. */
final class Restoring {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Restoring() {}

    /** Executes statements, each in a transaction of its own, as soon as the server lets us. */
    static void execute(Site site, String... statements) {
        await("a server that takes back what was changed", () -> {
            site.database().execute(statements);
            return true;
        });
    }

    /** Waits until it is so; a server that does not answer is asked again. */
    static void await(String what, BooleanSupplier condition) {
        Polling.await(what, PATIENCE, () -> {
            try {
                return condition.getAsBoolean();
            } catch (HarnessException e) {
                return false; // until the time is over
            }
        });
    }
}
