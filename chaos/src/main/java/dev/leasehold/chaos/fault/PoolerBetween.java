package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.PgBouncer;
import dev.leasehold.testkit.proxy.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everybody is led through a PgBouncer in transaction mode for a while, wake-ups and all, and then past it again. */
final class PoolerBetween implements Fault {
    private final Site site;
    private @Nullable PgBouncer pooler;

    PoolerBetween(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        pooler = PgBouncer.before(site.direct(Site.FIRST), Map.of("default_pool_size", "8"));
        move(pooler.port());
    }

    @Override
    public void end() {
        if (pooler == null) {
            throw new HarnessException("there is no pooler to take away");
        }
        move(site.database().port());
        pooler.close();
    }

    private void move(int port) {
        site.proxies().forEach(proxy -> proxy.leadTo(port));
        site.proxies().forEach(Proxy::cutAll);
    }
}
