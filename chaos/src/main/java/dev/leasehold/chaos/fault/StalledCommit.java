package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;

/**
 * Commits hang: the server waits for a synchronous standby that is not there. What was committed is done, others can see it only when
 * the wait is over, and a session that is cancelled or ended meanwhile has committed all the same.
 */
final class StalledCommit implements Fault {
    private static final String RELOAD = "select pg_reload_conf()";
    private static final String STANDBYS = "show synchronous_standby_names";
    private static final String NOBODY = "nobody";

    private final Site site;

    StalledCommit(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        site.database().execute("alter system set synchronous_standby_names = '" + NOBODY + "'", RELOAD);
        Restoring.await(
                "a server that waits for a standby",
                () -> site.database().ask("postgres", STANDBYS).contains(NOBODY));
    }

    /** Whoever waits goes on when the name is gone. A primary that was lost had a name of its own there: it does not come back. */
    @Override
    public void end() {
        Restoring.execute(site, "alter system reset synchronous_standby_names", RELOAD);
        Restoring.await(
                "a server that waits for no standby",
                () -> site.database().ask("postgres", STANDBYS).contains(""));
    }
}
