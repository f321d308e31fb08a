package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.proxy.Proxy;
import dev.leasehold.chaos.proxy.Weather;
import java.util.List;
import java.util.function.Consumer;

/** The network between clients and database goes wrong. When it ends, what was held up is delivered late, or cut. */
final class BadWeather implements Fault {
    private final List<Proxy> proxies;
    private final Consumer<Weather> change;
    private final boolean cutsAtTheEnd;

    BadWeather(List<Proxy> proxies, Consumer<Weather> change, boolean cutsAtTheEnd) {
        this.proxies = proxies;
        this.change = change;
        this.cutsAtTheEnd = cutsAtTheEnd;
    }

    @Override
    public void begin() {
        proxies.forEach(proxy -> change.accept(proxy.weather()));
    }

    @Override
    public void end() {
        if (cutsAtTheEnd) {
            proxies.forEach(Proxy::cutAll);
        }
        proxies.forEach(proxy -> proxy.weather().clear());
    }
}
