package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import org.jspecify.annotations.Nullable;

/** Sessions are ended by the server, one at random several times a second, whatever they are doing. */
final class TerminateBackends implements Fault {
    private static final long PAUSE_MILLIS = 120;

    private final Site site;
    private @Nullable Repeating terminating;

    TerminateBackends(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        terminating = new Repeating("chaos-terminate", PAUSE_MILLIS, this::terminateOne);
    }

    private void terminateOne() {
        try {
            site.database().execute(Sessions.endOne());
        } catch (HarnessException e) {
            return; // no connection for us just now; the next round comes
        }
    }

    @Override
    public void end() {
        if (terminating != null) {
            terminating.stop();
        }
    }
}
