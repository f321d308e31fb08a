package dev.leasehold.cli;

import dev.leasehold.cli.server.RunningServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a server ends when the process is told to: it is closed, and then the process ends well, with status 0. Without that, a
 * process that a signal ended would report the signal.
 */
final class ServerShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(ServerShutdown.class);

    /** All of it must fit in ten seconds. */
    private static final Duration AT_MOST = Duration.ofSeconds(10);

    private static final int FORCED = 143;

    private final RunningServer server;
    private volatile boolean hasStarted;

    private ServerShutdown(RunningServer server) {
        this.server = server;
    }

    static ServerShutdown on(RunningServer server) {
        ServerShutdown shutdown = new ServerShutdown(server);
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown::run, "leasehold-shutdown"));
        return shutdown;
    }

    /** From now on an end is an orderly end. */
    void started() {
        hasStarted = true;
    }

    private void run() {
        Thread closing = new Thread(server::close, "leasehold-close");
        closing.setDaemon(true);
        long started = System.nanoTime();
        closing.start();
        boolean isClosed = join(closing);
        if (hasStarted) {
            LOG.info("stopped after {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
            System.out.flush();
            Runtime.getRuntime().halt(isClosed ? 0 : FORCED);
        }
    }

    private static boolean join(Thread thread) {
        try {
            thread.join(AT_MOST.toMillis());
            return !thread.isAlive();
        } catch (InterruptedException e) {
            return false;
        }
    }
}
