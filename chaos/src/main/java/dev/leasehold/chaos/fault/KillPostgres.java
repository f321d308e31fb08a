package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;

/** The postmaster is killed; it comes back on the same port after its recovery. */
final class KillPostgres implements Fault {
    private final Site site;

    KillPostgres(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        site.database().kill();
    }

    @Override
    public void end() {
        site.database().restart();
    }
}
