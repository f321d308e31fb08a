package dev.leasehold.client;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.QueueListener;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.Consumers;
import dev.leasehold.queue.spi.DeadQueues;
import dev.leasehold.queue.spi.QueueEvents;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import dev.leasehold.wire.QueuesDeleteRequest;
import dev.leasehold.wire.QueuesInfoRequest;
import dev.leasehold.wire.QueuesListRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Queues of a Leasehold server, over HTTP: {@code HttpQueues.builder(URI.create("http://127.0.0.1:2319")).build()}.
 *
 * <p>Reads are retried when a connection fails, three attempts in all. A produce, lease, complete or retry whose reply was lost is not,
 * because it may have been carried out. Any call is retried if no connection could be opened.
 *
 * <p>Failures: a server that cannot be reached is {@code SERVICE_UNAVAILABLE}, one that does not answer in time is
 * {@code NETWORK_TIMEOUT}, one that refuses the credential is {@code AUTH_FAILED}.
 */
public final class HttpQueues implements Queues {
    private static final Duration LAST_MOMENT = Duration.ofSeconds(5);

    private final Timer timer = new Timer("leasehold-client");
    private final Duration requestTimeout;
    private final Transport transport;
    private final QueueApi calls;
    private final LeaseRequests leases;
    private final QueueEvents events;
    private final Consumers consumers;

    private HttpQueues(ClientConfig config, @Nullable QueueListener listener) {
        this.requestTimeout = config.timeout().compareTo(QueueLimits.MAX_REQUEST_TIMEOUT) > 0
                ? QueueLimits.MAX_REQUEST_TIMEOUT
                : config.timeout();
        this.transport = new Transport(config, timer);
        this.calls = new QueueApi(transport);
        this.leases = new LeaseRequests(calls, timer);
        this.events = new QueueEvents(listener);
        this.consumers = new Consumers(events);
    }

    static HttpQueues of(ClientConfig config, @Nullable QueueListener listener) {
        return new HttpQueues(config, listener);
    }

    /** Queues of the server at this address; a path in it is a prefix of all request paths. */
    public static Builder builder(URI server) {
        return new Builder(server);
    }

    @Override
    public CompletableFuture<QueueInfo> createAsync(QueueConfig config) {
        try {
            return Futures.unwrapped(DeadQueues.create(config, this::find, this::createAsTold, this::deleteAsync));
        } catch (QueueException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Finds a queue that is to be created. A credential without permission in all namespaces gets "forbidden" for a missing queue, as for
     * one of another namespace, so that counts as missing: the create checks the permission.
     */
    private CompletableFuture<QueueInfo> find(String name) {
        CompletableFuture<QueueInfo> found = new CompletableFuture<>();
        Futures.whenDone(Futures.unwrapped(infoAsync(name)), (info, failure) -> {
            boolean isRefused = failure instanceof QueueException known && known.code() == QueueErrorCode.AUTH_FAILED;
            if (failure == null) {
                found.complete(info);
            } else {
                found.completeExceptionally(isRefused ? QueueException.noSuchQueue(name) : failure);
            }
        });
        return found;
    }

    private CompletableFuture<QueueInfo> createAsTold(QueueConfig config) {
        return thenInfo(
                calls.call(() -> QueueCalls.of("queues.create", QueueCalls.config(config)), QueueDecoder::done),
                config.name());
    }

    @Override
    public CompletableFuture<QueueInfo> updateAsync(QueueUpdate update) {
        return thenInfo(
                calls.call(() -> QueueCalls.of("queues.update", QueueCalls.update(update)), QueueDecoder::done),
                update.name());
    }

    /** The API returns no record here, so the client reads it. */
    private CompletableFuture<QueueInfo> thenInfo(CompletableFuture<Void> done, String name) {
        return Futures.unwrapped(done.thenCompose(ok -> infoAsync(name)));
    }

    @Override
    public CompletableFuture<QueueInfo> infoAsync(String name) {
        return calls.call(
                () -> {
                    QueueRules.lookup(name);
                    return QueueCalls.of(
                                    "queues.info",
                                    QueuesInfoRequest.newBuilder()
                                            .setQueueName(name)
                                            .build())
                            .repeatable();
                },
                QueueDecoder::info);
    }

    @Override
    public CompletableFuture<List<QueueInfo>> listAsync(QueueListing listing) {
        QueuesListRequest message = QueuesListRequest.newBuilder()
                .setNamespace(listing.namespace())
                .setPivot(listing.pivot())
                .setLimit(listing.limit())
                .build();
        return calls.call(() -> QueueCalls.of("queues.list", message).repeatable(), QueueDecoder::infos);
    }

    @Override
    public CompletableFuture<Void> deleteAsync(String name) {
        return calls.call(
                () -> {
                    QueueRules.name(name);
                    return QueueCalls.of(
                            "queues.delete",
                            QueuesDeleteRequest.newBuilder().setQueueName(name).build());
                },
                QueueDecoder::done);
    }

    @Override
    public ItemQueue queue(String name) {
        QueueRules.lookup(name);
        return new HttpQueue(this, calls, name);
    }

    LeaseRequests leases() {
        return leases;
    }

    QueueEvents events() {
        return events;
    }

    Duration requestTimeout() {
        return requestTimeout;
    }

    Consumer start(ItemQueue queue, ConsumeOptions options, int turnSize, BatchHandler<LeasedItem> handler) {
        LeaseTimeoutCache timeouts = new LeaseTimeoutCache(
                () -> infoAsync(queue.name()).thenApply(info -> info.config().leaseTimeout()));
        return consumers.start(queue, timeouts, options, turnSize, handler);
    }

    /** {@inheritDoc} Within five seconds. */
    @Override
    public void close() {
        consumers.close();
        calls.close();
        leases.close();
        transport.drain(LAST_MOMENT);
        transport.close();
        timer.close();
    }

    /** The settings, with their defaults. */
    public static final class Builder extends ClientBuilder<Builder> {
        private @Nullable QueueListener listener;

        private Builder(URI server) {
            super(server);
        }

        @Override
        Builder self() {
            return this;
        }

        /** Receives what this client does with items. */
        public Builder listener(QueueListener listener) {
            this.listener = listener;
            return this;
        }

        /** The queues. Does no I/O. */
        public HttpQueues build() {
            return new HttpQueues(config(), listener);
        }
    }
}
