package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of one session stands still, with whatever locks it has, and goes on later.
 *
 * <p>A shell stops it, and lets it go on when its own input ends: that is at {@link #end}, or when the harness has ended, however it
 * did.
 */
final class StoppedBackend implements Fault {
    private static final int TRIES = 50;
    private static final int CHOICE = 8;
    private static final long PATIENCE_SECONDS = 30;
    private static final String STOPPED = "stopped";
    private static final String SCRIPT = "trap '' HUP INT TERM; kill -STOP \"$1\" || exit 1; echo " + STOPPED
            + "; read -r line; kill -CONT \"$1\"; exit 0";

    private final Site site;
    private @Nullable Process stopping;
    private long backend;

    StoppedBackend(Site site) {
        this.site = site;
    }

    /** The one that stands still. */
    long backend() {
        return backend;
    }

    @Override
    public void begin() {
        for (int i = 0; i < TRIES && stopping == null; i++) {
            List<Long> all = Sessions.busiest(site, CHOICE);
            if (!all.isEmpty()) {
                backend = site.any(all);
                stopping = stop(backend).orElse(null);
            }
        }
        if (stopping == null) {
            throw new HarnessException("there is no session that could stand still");
        }
    }

    /** What lets it go on when its input ends; nothing if the process has ended since it was seen. */
    static Optional<Process> stop(long pid) {
        try {
            Process shell = new ProcessBuilder("setsid", "sh", "-c", SCRIPT, "chaos-stop", Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return STOPPED.equals(shell.inputReader(StandardCharsets.UTF_8).readLine())
                    ? Optional.of(shell)
                    : Optional.empty();
        } catch (IOException e) {
            throw new HarnessException("could not stop the backend " + pid, e);
        }
    }

    @Override
    public void end() {
        if (stopping == null) {
            return;
        }
        try {
            stopping.getOutputStream().close();
            if (!stopping.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new HarnessException("the backend " + backend + " was not continued");
            }
        } catch (IOException e) {
            throw new HarnessException("could not continue the backend " + backend, e);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }
}
