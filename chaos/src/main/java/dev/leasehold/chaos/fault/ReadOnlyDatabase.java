package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.proxy.Proxy;

/** The server refuses to write: everybody is disconnected, and finds a read-only database on return. */
final class ReadOnlyDatabase implements Fault {
    private static final String RELOAD = "select pg_reload_conf()";

    private final Site site;

    ReadOnlyDatabase(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        site.database().execute("alter system set default_transaction_read_only = on", RELOAD);
        site.proxies().forEach(Proxy::cutAll);
    }

    @Override
    public void end() {
        site.database().execute("alter system reset default_transaction_read_only", RELOAD);
    }
}
