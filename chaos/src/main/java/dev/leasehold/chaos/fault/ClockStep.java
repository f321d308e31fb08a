package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;

/**
 * The clock of the database is put forward or back, and later put right again. Only as far as statements can see, which is what
 * counts: from {@link #install} on they find a {@code clock_timestamp} of ours before PostgreSQL's.
 */
final class ClockStep implements Fault {
    private final Site site;
    private final int seconds;

    ClockStep(Site site, int seconds) {
        this.site = site;
        this.seconds = seconds;
    }

    /** Puts our clock before PostgreSQL's, for sessions that begin from now on. */
    static void install(Site site) {
        for (String database : new String[] {Site.FIRST, Site.SECOND}) {
            site.database()
                    .executeIn(
                            database,
                            "create table chaos_clock (step interval not null)",
                            "insert into chaos_clock values ('0')",
                            "create function public.clock_timestamp() returns timestamptz volatile parallel safe language sql"
                                    + " as 'select pg_catalog.clock_timestamp() + step from public.chaos_clock'",
                            "alter database " + database + " set search_path = public, pg_catalog");
        }
    }

    @Override
    public void begin() {
        step(seconds);
    }

    @Override
    public void end() {
        step(0);
    }

    private void step(int to) {
        for (String database : new String[] {Site.FIRST, Site.SECOND}) {
            site.database().executeIn(database, "update public.chaos_clock set step = '" + to + " s'");
        }
    }
}
