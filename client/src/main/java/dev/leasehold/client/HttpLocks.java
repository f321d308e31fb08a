package dev.leasehold.client;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.LocksById;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.LockGauges;
import java.net.URI;
import java.util.Optional;
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
public final class HttpLocks implements Locks, LockGauges {
    private final RenewingLocks locks;

    private HttpLocks(HttpLockStore store, LockOptions options) {
        this.locks = new RenewingLocks(store, options);
    }

    static HttpLocks of(ClientConfig config, LockOptions options) {
        return new HttpLocks(new HttpLockStore(config), options);
    }

    /** Locks of the server at this address; a path in it is a prefix of all request paths. */
    public static Builder builder(URI server) {
        return new Builder(server);
    }

    @Override
    public HeldLock acquire(AcquireRequest request) {
        return locks.acquire(request);
    }

    @Override
    public Optional<HeldLock> tryAcquire(AcquireRequest request) {
        return locks.tryAcquire(request);
    }

    @Override
    public boolean isLocked(String key) {
        return locks.isLocked(key);
    }

    @Override
    public Optional<LockInfo> getByKey(String key) {
        return locks.getByKey(key);
    }

    @Override
    public AsyncLocks async() {
        return locks.async();
    }

    @Override
    public LocksById byLockId() {
        return locks.byLockId();
    }

    @Override
    public LockAdmin admin() {
        return locks.admin();
    }

    @Override
    public int held() {
        return locks.held();
    }

    @Override
    public int waiting() {
        return locks.waiting();
    }

    @Override
    public void close() {
        locks.close();
    }

    /** For tests. */
    RenewingLocks renewing() {
        return locks;
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

        /** The locks. Does no I/O. */
        public HttpLocks build() {
            return new HttpLocks(new HttpLockStore(config()), options);
        }
    }
}
