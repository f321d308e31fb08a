package dev.leasehold.chaos.fault;

import dev.leasehold.testkit.proxy.Proxy;
import dev.leasehold.testkit.proxy.ProxyFaults;
import java.util.List;
import java.util.function.Consumer;

/**
 * The network between clients and database goes wrong. When it ends, what was held up is delivered late, or cut. Other faults of the
 * network that are there at the same time stay.
 */
final class NetworkFault implements Fault {
    private final List<Proxy> proxies;
    private final Consumer<ProxyFaults> change;
    private final Consumer<ProxyFaults> undo;
    private final boolean cutsAtTheEnd;

    NetworkFault(List<Proxy> proxies, Consumer<ProxyFaults> change, Consumer<ProxyFaults> undo, boolean cutsAtTheEnd) {
        this.proxies = proxies;
        this.change = change;
        this.undo = undo;
        this.cutsAtTheEnd = cutsAtTheEnd;
    }

    @Override
    public void begin() {
        proxies.forEach(proxy -> change.accept(proxy.faults()));
    }

    @Override
    public void end() {
        proxies.forEach(proxy -> {
            if (cutsAtTheEnd) {
                proxy.cut(undo);
            } else {
                undo.accept(proxy.faults());
            }
        });
    }
}
