package dev.leasehold.chaos.fault;

import dev.leasehold.testkit.proxy.Proxy;
import dev.leasehold.testkit.proxy.ProxyFaults;
import java.util.List;
import java.util.function.Consumer;

/** The network between clients and database goes wrong. When it ends, what was held up is delivered late, or cut. */
final class NetworkFault implements Fault {
    private final List<Proxy> proxies;
    private final Consumer<ProxyFaults> change;
    private final boolean cutsAtTheEnd;

    NetworkFault(List<Proxy> proxies, Consumer<ProxyFaults> change, boolean cutsAtTheEnd) {
        this.proxies = proxies;
        this.change = change;
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
                proxy.cut();
            } else {
                proxy.faults().clear();
            }
        });
    }
}
