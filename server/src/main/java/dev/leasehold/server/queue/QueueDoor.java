package dev.leasehold.server.queue;

import static dev.leasehold.server.auth.Permission.QUEUES_ADMIN;
import static dev.leasehold.server.auth.Permission.QUEUES_CONSUME;
import static dev.leasehold.server.auth.Permission.QUEUES_PRODUCE;

import dev.leasehold.queue.ClearRequest;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListing;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.wire.QueueClearRequest;
import dev.leasehold.wire.QueueInfo;
import dev.leasehold.wire.QueueReloadRequest;
import dev.leasehold.wire.QueueStatsRequest;
import dev.leasehold.wire.QueuesDeleteRequest;
import dev.leasehold.wire.QueuesInfoRequest;
import dev.leasehold.wire.QueuesListRequest;
import dev.leasehold.wire.QueuesListResponse;
import java.util.concurrent.CompletableFuture;

/** What operators do with queues: {@code POST /v1/queues.*}, {@code /v1/queue.stats}, {@code clear} and {@code reload}. */
public final class QueueDoor {
    private static final int INFO_WEIGHT = 500;

    private final Queues queues;
    private final Lookup lookup;
    private final Pens pens;

    public QueueDoor(Queues queues, Pens pens) {
        this.queues = queues;
        this.lookup = new Lookup(queues);
        this.pens = pens;
    }

    public CompletableFuture<Response> stats(Request request) {
        QueueStatsRequest wish = Codec.read(request, QueueStatsRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_PRODUCE, QUEUES_CONSUME, QUEUES_ADMIN)
                .thenCompose(queue -> queue.statsAsync())
                .thenApply(stats -> Codec.ok(request, ToWire.stats(stats)));
    }

    public CompletableFuture<Response> clear(Request request) {
        QueueClearRequest wish = Codec.read(request, QueueClearRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue ->
                        queue.clearAsync(new ClearRequest(wish.getQueue(), wish.getScheduled(), wish.getDestructive())))
                .thenApply(done -> Codec.ok(request));
    }

    public CompletableFuture<Response> reload(Request request) {
        QueueReloadRequest wish = Codec.read(request, QueueReloadRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue -> queue.reloadAsync())
                .thenApply(done -> Codec.ok(request));
    }

    public CompletableFuture<Response> create(Request request) {
        QueueInfo wish = Codec.read(request, QueueInfo.getDefaultInstance());
        FromWire.checkTexts(wish);
        request.principal().require(QUEUES_ADMIN, orSystem(wish.getNamespace()));
        return create(request.principal(), wish).thenApply(created -> Codec.ok(request));
    }

    /** If something is wrong with it, that the name is taken is what the caller is told first. */
    private CompletableFuture<?> create(Principal principal, QueueInfo wish) {
        try {
            return queues.createAsync(FromWire.config(wish)).exceptionallyCompose(failure -> {
                boolean isTaken =
                        failure instanceof QueueException known && known.code() == QueueErrorCode.ALREADY_EXISTS;
                return isTaken
                        ? lookup.taken(principal, wish.getQueueName(), Lookup.notAvailable(wish.getQueueName()))
                        : CompletableFuture.failedFuture(failure);
            });
        } catch (QueueException wrong) {
            return lookup.taken(principal, wish.getQueueName(), wrong);
        }
    }

    private static String orSystem(String namespace) {
        return namespace.isEmpty() ? QueueConfig.SYSTEM_NAMESPACE : namespace;
    }

    public CompletableFuture<Response> list(Request request) {
        QueuesListRequest wish = Codec.read(request, QueuesListRequest.getDefaultInstance());
        request.principal().requireAny(orSystem(wish.getNamespace()), QUEUES_PRODUCE, QUEUES_CONSUME, QUEUES_ADMIN);
        return queues.listAsync(new QueueListing(wish.getNamespace(), wish.getPivot(), wish.getLimit()))
                .thenCompose(page -> pens.write(
                        request,
                        (long) page.size() * INFO_WEIGHT,
                        () -> QueuesListResponse.newBuilder()
                                .addAllItems(page.stream().map(ToWire::info).toList())
                                .build()));
    }

    public CompletableFuture<Response> update(Request request) {
        QueueInfo wish = Codec.read(request, QueueInfo.getDefaultInstance());
        FromWire.checkTexts(wish);
        return lookup.info(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(found -> queues.updateAsync(FromWire.update(wish)))
                .thenApply(updated -> Codec.ok(request));
    }

    public CompletableFuture<Response> delete(Request request) {
        QueuesDeleteRequest wish = Codec.read(request, QueuesDeleteRequest.getDefaultInstance());
        QueueRules.name(wish.getQueueName());
        return lookup.info(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(found -> queues.deleteAsync(wish.getQueueName()))
                .thenApply(done -> Codec.ok(request));
    }

    public CompletableFuture<Response> info(Request request) {
        QueuesInfoRequest wish = Codec.read(request, QueuesInfoRequest.getDefaultInstance());
        return lookup.info(request, wish.getQueueName(), QUEUES_PRODUCE, QUEUES_CONSUME, QUEUES_ADMIN)
                .thenApply(info -> Codec.ok(request, ToWire.info(info)));
    }
}
