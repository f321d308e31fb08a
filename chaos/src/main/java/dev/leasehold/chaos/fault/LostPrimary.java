package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Database;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.site.Standby;
import dev.leasehold.testkit.process.HarnessException;
import org.jspecify.annotations.Nullable;

/**
 * The primary is killed and never comes back; its standby is promoted, and the address moves there.
 *
 * <p>A synchronous standby has every commit that was acknowledged. An asynchronous one may lack the last.
 */
final class LostPrimary implements Fault {
    private final Site site;
    private final boolean synchronous;
    private @Nullable Database standby;

    LostPrimary(Site site, boolean synchronous) {
        this.site = site;
        this.synchronous = synchronous;
    }

    @Override
    public void begin() {
        Database primary = site.database();
        String name = "standby-" + (primary.port() % 1000) + "-" + site.random().nextInt(1_000_000);
        standby = Standby.follow(primary, site.directory().resolve(name), synchronous);
        primary.kill();
    }

    @Override
    public void end() {
        if (standby == null) {
            throw new HarnessException("there is no standby to promote");
        }
        Standby.promote(standby);
        site.moveTo(standby);
    }
}
