package dev.leasehold.client;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Lease;
import dev.leasehold.lock.spi.LeaseLocks;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * Locks of a Leasehold server, over HTTP: {@code HttpLocks.builder(URI.create("http://127.0.0.1:2319")).build()}.
 *
 * <p>The same locks as everywhere else, with these differences. Waiting happens at the server, one call for each key; waiters of
 * one client are served first come, first served. Lookups tell hashes, never who holds, and nobody is told why a grant is gone.
 * Renewal costs one call for each lock. What can be carried out twice without harm is repeated when a connection fails: three
 * tries in all. In the background, a grant whose reply was lost is given back, and the release of a handle that failed is repeated.
 *
 * <p>Failures: a server that cannot be reached is {@code SERVICE_UNAVAILABLE}, one that does not answer in time is
 * {@code NETWORK_TIMEOUT}, one that refuses the credential is {@code AUTH_FAILED}.
 */
public final class HttpLocks extends LeaseLocks {
    private HttpLocks(HttpLockStore store, LockOptions options) {
        super(store, options, Lease::new);
    }

    static HttpLocks of(ClientConfig config) {
        return new HttpLocks(new HttpLockStore(config), LockOptions.DEFAULT);
    }

    /** Locks of the server at this address; a path in it is a prefix of all request paths. */
    public static Builder builder(URI server) {
        return new Builder(server);
    }

    /** What can be set, with its defaults. */
    public static final class Builder extends ClientBuilder<Builder> {
        private LockOptions options = LockOptions.DEFAULT;

        private Builder(URI server) {
            super(server);
        }

        @Override
        Builder self() {
            return this;
        }

        /** Changes the defaults of requests, the listener, the handlers: {@code options(o -> o.ttl(...))}. */
        public Builder options(UnaryOperator<LockOptions> change) {
            this.options = change.apply(options);
            return this;
        }

        public HttpLocks build() {
            return new HttpLocks(new HttpLockStore(config()), options);
        }
    }
}
