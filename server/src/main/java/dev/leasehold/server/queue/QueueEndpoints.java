package dev.leasehold.server.queue;

import static dev.leasehold.server.auth.Permission.QUEUES_ADMIN;
import static dev.leasehold.server.auth.Permission.QUEUES_CONSUME;
import static dev.leasehold.server.auth.Permission.QUEUES_PRODUCE;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.QueueListing;
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

/** The endpoints of operators: {@code POST /v1/queues.*}, {@code /v1/queue.stats}, {@code clear} and {@code reload}. */
public final class QueueEndpoints {
    private static final int INFO_WEIGHT = 500;

    private final Queues queues;
    private final QueueLookup lookup;
    private final ResponseEncoder encoder;

    public QueueEndpoints(Queues queues, ResponseEncoder encoder) {
        this.queues = queues;
        this.lookup = new QueueLookup(queues);
        this.encoder = encoder;
    }

    public CompletableFuture<Response> stats(Request request) {
        QueueStatsRequest wish = MessageCodec.read(request, QueueStatsRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_PRODUCE, QUEUES_CONSUME, QUEUES_ADMIN)
                .thenCompose(queue -> queue.admin().statsAsync())
                .thenApply(stats -> MessageCodec.ok(request, ToWire.stats(stats)));
    }

    public CompletableFuture<Response> clear(Request request) {
        QueueClearRequest wish = MessageCodec.read(request, QueueClearRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue -> queue.admin()
                        .clearAsync(new ClearRequest(wish.getQueue(), wish.getScheduled(), wish.getDestructive())))
                .thenApply(done -> MessageCodec.ok(request));
    }

    public CompletableFuture<Response> reload(Request request) {
        QueueReloadRequest wish = MessageCodec.read(request, QueueReloadRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue -> queue.admin().reloadAsync())
                .thenApply(done -> MessageCodec.ok(request));
    }

    public CompletableFuture<Response> create(Request request) {
        QueueInfo wish = MessageCodec.read(request, QueueInfo.getDefaultInstance());
        FromWire.checkTexts(wish);
        request.principal().require(QUEUES_ADMIN, orSystem(wish.getNamespace()));
        return create(request.principal(), wish).thenApply(created -> MessageCodec.ok(request));
    }

    /** If something is wrong with it, that the name is taken is what the caller is told first. */
    private CompletableFuture<?> create(Principal principal, QueueInfo wish) {
        try {
            return queues.createAsync(FromWire.config(wish)).exceptionallyCompose(failure -> {
                boolean isTaken =
                        failure instanceof QueueException known && known.code() == QueueErrorCode.ALREADY_EXISTS;
                return isTaken
                        ? lookup.taken(principal, wish.getQueueName(), QueueLookup.notAvailable(wish.getQueueName()))
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
        QueuesListRequest wish = MessageCodec.read(request, QueuesListRequest.getDefaultInstance());
        request.principal().requireAny(orSystem(wish.getNamespace()), QUEUES_PRODUCE, QUEUES_CONSUME, QUEUES_ADMIN);
        return queues.listAsync(new QueueListing(wish.getNamespace(), wish.getPivot(), wish.getLimit()))
                .thenCompose(page -> encoder.write(
                        request,
                        (long) page.size() * INFO_WEIGHT,
                        () -> QueuesListResponse.newBuilder()
                                .addAllItems(page.stream().map(ToWire::info).toList())
                                .build()));
    }

    public CompletableFuture<Response> update(Request request) {
        QueueInfo wish = MessageCodec.read(request, QueueInfo.getDefaultInstance());
        FromWire.checkTexts(wish);
        return lookup.info(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(found -> queues.updateAsync(FromWire.update(wish)))
                .thenApply(updated -> MessageCodec.ok(request));
    }

    public CompletableFuture<Response> delete(Request request) {
        QueuesDeleteRequest wish = MessageCodec.read(request, QueuesDeleteRequest.getDefaultInstance());
        QueueRules.name(wish.getQueueName());
        return lookup.info(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(found -> queues.deleteAsync(wish.getQueueName()))
                .thenApply(done -> MessageCodec.ok(request));
    }

    public CompletableFuture<Response> info(Request request) {
        QueuesInfoRequest wish = MessageCodec.read(request, QueuesInfoRequest.getDefaultInstance());
        return lookup.info(request, wish.getQueueName(), QUEUES_PRODUCE, QUEUES_CONSUME, QUEUES_ADMIN)
                .thenApply(info -> MessageCodec.ok(request, ToWire.info(info)));
    }
}
