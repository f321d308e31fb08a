package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import org.jspecify.annotations.Nullable;

/** Sessions are ended by the server, one at random several times a second, whatever they are doing. */
final class TerminateBackends implements Fault {
    private static final long PAUSE_MILLIS = 120;
    private static final String ONE = "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where backend_type = 'client backend' and application_name <> 'chaos' order by random() limit 1";

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
            site.database().execute(ONE);
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
