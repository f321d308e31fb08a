package dev.leasehold.client;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import java.net.URI;

/**
 * Locks and queues of a Leasehold server: {@code Leasehold leasehold = HttpLeasehold.connect("https://leasehold.internal:2319", key)}.
 *
 * <p>For services that have no connection to the database. Without transactions: make receivers idempotent, or send the fence along.
 */
public final class HttpLeasehold implements Leasehold {
    private final HttpLocks locks;
    private final HttpQueues queues;

    private HttpLeasehold(HttpLocks locks, HttpQueues queues) {
        this.locks = locks;
        this.queues = queues;
    }

    /** Locks and queues of a server that needs no credential. Does no I/O. */
    public static HttpLeasehold connect(String server) {
        return connect(server, "");
    }

    /**
     * Locks and queues of a server. Does no I/O.
     *
     * @param token the API key or JWT that says who calls
     */
    public static HttpLeasehold connect(String server, String token) {
        return builder(URI.create(server)).token(token).build();
    }

    /** For what {@link #connect} does not say: several servers, timeouts, TLS, tokens that do not last. */
    public static Builder builder(URI server) {
        return new Builder(server);
    }

    @Override
    public Locks locks() {
        return locks;
    }

    @Override
    public Queues queues() {
        return queues;
    }

    /** {@inheritDoc} The server has done it when it started. */
    @Override
    public void migrate() {
        // the server's business
    }

    @Override
    public void close() {
        try (locks) {
            queues.close();
        }
    }

    /** What can be set, with its defaults. */
    public static final class Builder extends ClientBuilder<Builder> {
        private Builder(URI server) {
            super(server);
        }

        @Override
        Builder self() {
            return this;
        }

        public HttpLeasehold build() {
            return new HttpLeasehold(HttpLocks.of(config()), HttpQueues.of(config()));
        }
    }
}
