package dev.leasehold.embedded;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts a server that has died, for whatever reason, until it is told to end.
 *
 * <ol>
 *   <li>Twice a second it looks whether the postmaster lives.
 *   <li>If not, it kills backends that have not noticed, and starts the server on the same port.
 *   <li>If that fails, as on a full disk, it tries again: after a quarter of a second, then twice as long each time, and every four
 *       seconds in the end.
 * </ol>
 */
final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration FIRST_DELAY = Duration.ofMillis(250);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(4);

    private final PgCtl server;
    private final int port;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "leasehold-embedded-supervisor");
    private volatile boolean isRestarting;

    private Supervisor(PgCtl server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Starts supervising a server that runs. */
    static Supervisor start(PgCtl server, int port) {
        Supervisor supervisor = new Supervisor(server, port);
        supervisor.thread.setDaemon(true);
        supervisor.thread.start();
        return supervisor;
    }

    /** Whether the server has died and does not run again yet. */
    boolean isRestarting() {
        return isRestarting;
    }

    /** Makes no further attempt. One may be under way: see {@link #awaitEnd}. */
    void end() {
        ending.countDown();
    }

    /** Waits for the end of an attempt that is under way; false if it takes longer. */
    boolean awaitEnd(Duration atMost) {
        try {
            thread.join(atMost.toMillis());
            return !thread.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run() {
        try {
            while (!isEndedAfter(INTERVAL)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An Error must not end the thread: nobody else would restart the server. */
    private void look() throws InterruptedException {
        try {
            if (server.running().isEmpty()) {
                restart();
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("event=embedded_database_supervision_failed", e);
        }
    }

    private void restart() throws InterruptedException {
        long died = System.nanoTime();
        isRestarting = true;
        LOG.warn("event=embedded_database_died port={}: restarting it", port);
        Duration delay = FIRST_DELAY;
        for (int attempt = 1; !hasStarted(attempt); attempt++) {
            if (isEndedAfter(delay)) {
                return;
            }
            delay = delay.compareTo(LONGEST_DELAY) < 0 ? delay.multipliedBy(2) : LONGEST_DELAY;
        }
        isRestarting = false;
        LOG.warn(
                "event=embedded_database_restarted port={} after_ms={}",
                port,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - died));
    }

    private boolean hasStarted(int attempt) {
        try {
            if (server.running().isEmpty()) {
                server.killOrphanedBackends();
                server.start(port);
            }
            return true;
        } catch (EmbeddedException e) {
            LOG.warn("event=embedded_database_restart_failed attempt={} reason={}", attempt, e.getMessage());
            return false;
        }
    }

    private boolean isEndedAfter(Duration delay) throws InterruptedException {
        return ending.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
