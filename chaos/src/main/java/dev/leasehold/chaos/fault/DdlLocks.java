package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody changes tables: now and then one of those of locks and items is locked against everybody for some hundred milliseconds,
 * as ALTER TABLE and VACUUM FULL do, in both databases.
 */
final class DdlLocks implements Fault {
    private static final long PAUSE_MILLIS = 100;
    private static final String ONE = "do $$ declare one regclass; begin"
            + " select name into one from ((" + Tables.OF_ITEMS + ") union all (" + Tables.OF_LOCKS + ")) as t"
            + " order by random() limit 1;"
            + " if found then execute format('lock table %s in access exclusive mode', one);"
            + " perform pg_sleep(0.2 + 0.3 * random()); end if; end $$";

    private final Site site;
    private final List<Repeating> locking = new ArrayList<>();

    DdlLocks(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        for (String database : List.of(Site.FIRST, Site.SECOND)) {
            locking.add(new Repeating("chaos-ddl-" + database, PAUSE_MILLIS, () -> lockOne(database)));
        }
    }

    private void lockOne(String database) {
        try {
            site.database().executeIn(database, "set lock_timeout = '2s'", ONE);
        } catch (HarnessException e) {
            return; // somebody else had it for too long, or there was a deadlock: the next one comes
        }
    }

    /** What is locked is unlocked when the last one is over, which is soon. */
    @Override
    public void end() {
        locking.forEach(Repeating::stop);
        locking.clear();
    }
}
