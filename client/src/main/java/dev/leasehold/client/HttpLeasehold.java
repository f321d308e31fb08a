package dev.leasehold.client;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.QueueListener;
import dev.leasehold.queue.Queues;
import java.net.URI;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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
     * @param token the API key or JWT of this client
     */
    public static HttpLeasehold connect(String server, String token) {
        return builder(URI.create(server)).token(token).build();
    }

    /** Several servers, timeouts, TLS, listeners, tokens that expire. */
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

    /** {@inheritDoc} Does nothing: the server migrates when it starts. */
    @Override
    public void migrate() {
        // the server does it
    }

    @Override
    public void close() {
        try (locks) {
            queues.close();
        }
    }

    /** The settings, with their defaults. */
    public static final class Builder extends ClientBuilder<Builder> {
        private UnaryOperator<LockOptions> options = UnaryOperator.identity();
        private @Nullable QueueListener listener;

        private Builder(URI server) {
            super(server);
        }

        /** Changes the defaults of lock requests and the listener of locks: {@code options(o -> o.ttl(...))}. */
        public Builder options(UnaryOperator<LockOptions> change) {
            this.options = change;
            return this;
        }

        /** Receives what this client does with items of queues. */
        public Builder listener(QueueListener listener) {
            this.listener = listener;
            return this;
        }

        @Override
        Builder self() {
            return this;
        }

        /** The locks and queues. Does no I/O. */
        public HttpLeasehold build() {
            return new HttpLeasehold(
                    HttpLocks.of(config(), options.apply(LockOptions.DEFAULT)), HttpQueues.of(config(), listener));
        }
    }
}
