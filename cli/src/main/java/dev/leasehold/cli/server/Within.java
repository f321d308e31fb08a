package dev.leasehold.cli.server;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that must not hold up what comes after it. */
final class Within {
    private static final Logger LOG = LoggerFactory.getLogger(Within.class);

    private Within() {}

    /** Runs it, and goes on without it when the time is over. */
    static void time(Duration atMost, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, "leasehold-http-stop");
        thread.setDaemon(true);
        thread.start();
        thread.join(atMost.toMillis());
        if (thread.isAlive()) {
            LOG.warn("the HTTP server did not stop within {} s; closing the rest", atMost.toSeconds());
        }
    }
}
