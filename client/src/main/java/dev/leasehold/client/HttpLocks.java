package dev.leasehold.client;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Lease;
import dev.leasehold.lock.spi.LeaseLocks;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * Locks of a Leasehold server, over HTTP: {@code HttpLocks.builder(URI.create("http://127.0.0.1:2319")).build()}.
 *
 * <p>Differences to the library: the server waits, one call for each key; waiters of one client are served in order (FIFO). Lookups return
 * hashes, never the holder, and the reason why a grant has ended is unknown. Renewal costs one call for each lock. Idempotent calls are
 * retried when a connection fails: three attempts in all. In the background, a grant whose reply was lost is released, and a failed
 * release of a handle is retried.
 *
 * <p>Failures: a server that cannot be reached is {@code SERVICE_UNAVAILABLE}, one that does not answer in time is
 * {@code NETWORK_TIMEOUT}, one that refuses the credential is {@code AUTH_FAILED}.
 */
public final class HttpLocks extends LeaseLocks {
    private HttpLocks(HttpLockStore store, LockOptions options) {
        super(store, options, Lease::new);
    }

    static HttpLocks of(ClientConfig config, LockOptions options) {
        return new HttpLocks(new HttpLockStore(config), options);
    }

    /** Locks of the server at this address; a path in it is a prefix of all request paths. */
    public static Builder builder(URI server) {
        return new Builder(server);
    }

    /** The settings, with their defaults. */
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
