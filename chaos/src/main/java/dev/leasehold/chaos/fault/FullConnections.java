package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.proxy.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Somebody else has taken all connections that the server has, and those that the clients had are cut. */
final class FullConnections implements Fault {
    private static final long PAUSE_MILLIS = 20;

    private final Site site;
    private final Deque<Connection> taken = new ArrayDeque<>();
    private @Nullable Repeating taking;

    FullConnections(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        takeAll();
        site.proxies().forEach(Proxy::cutAll);
        taking = new Repeating("chaos-connections", PAUSE_MILLIS, this::takeAll);
    }

    private void takeAll() {
        try {
            while (true) {
                taken.add(site.database().connect("postgres"));
            }
        } catch (SQLException e) {
            return; // there are no more
        }
    }

    @Override
    public void end() {
        if (taking != null) {
            taking.stop();
        }
        while (!taken.isEmpty()) {
            try {
                taken.remove().close();
            } catch (SQLException e) {
                throw new IllegalStateException("a connection cannot be closed", e);
            }
        }
    }
}
