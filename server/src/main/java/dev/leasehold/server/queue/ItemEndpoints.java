package dev.leasehold.server.queue;

import static dev.leasehold.server.auth.Permission.QUEUES_CONSUME;
import static dev.leasehold.server.auth.Permission.QUEUES_PRODUCE;

import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.spi.Futures;
import dev.leasehold.wire.QueueCompleteRequest;
import dev.leasehold.wire.QueueExtendRequest;
import dev.leasehold.wire.QueueExtendResponse;
import dev.leasehold.wire.QueueGiveBackRequest;
import dev.leasehold.wire.QueueLeaseRequest;
import dev.leasehold.wire.QueueProduceRequest;
import dev.leasehold.wire.QueueRetryRequest;
import dev.leasehold.wire.QueueWithdrawRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The endpoints of producers and consumers: {@code POST /v1/queue.produce}, {@code lease}, {@code complete} and so on. */
public final class ItemEndpoints {
    private static final Logger log = LoggerFactory.getLogger(ItemEndpoints.class);
    private static final String NOTHING = "request timeout; no items are in the queue, try again";

    /** A request with this header set to true is told where its items went. Others get only what Querator's clients can read. */
    private static final String DETAILS = "Leasehold-Details";

    private static final String STRICT = "Leasehold-Strict";

    private final QueueLookup lookup;
    private final ResponseEncoder encoder;
    private final WaitingLeases waiting = new WaitingLeases();

    public ItemEndpoints(Queues queues, ResponseEncoder encoder) {
        this.lookup = new QueueLookup(queues);
        this.encoder = encoder;
    }

    public CompletableFuture<Response> produce(Request request) {
        QueueProduceRequest wish =
                MessageCodec.read(request, QueueProduceRequest.getDefaultInstance(), QueueRules::produceBatch);
        boolean isDetailed = "true".equals(request.header(DETAILS));
        boolean isStrict = "true".equals(request.header(STRICT));
        return lookup.find(request, wish.getQueueName(), QUEUES_PRODUCE)
                .thenCompose(queue -> queue.produceAsync(FromWire.produce(wish, isStrict)))
                .thenApply(produced ->
                        isDetailed ? MessageCodec.ok(request, ToWire.produced(produced)) : MessageCodec.ok(request));
    }

    public CompletableFuture<Response> lease(Request request) {
        QueueLeaseRequest wish = MessageCodec.read(request, QueueLeaseRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_CONSUME)
                .thenCompose(queue -> request.untilGone(waiting.watch(wish, queue.leaseAsync(FromWire.lease(wish))))
                        .thenCompose(batch -> leased(request, queue, batch)));
    }

    private CompletableFuture<Response> leased(Request request, ItemQueue queue, LeasedBatch batch) {
        if (batch.isEmpty()) {
            return CompletableFuture.completedFuture(MessageCodec.error(request.headers(), 454, NOTHING));
        }
        long weight = batch.items().stream().mapToLong(LeasedItem::weight).sum();
        CompletableFuture<Response> written = encoder.write(request, weight, () -> ToWire.leased(batch));
        Futures.whenDone(written, (response, failure) -> {
            if (failure != null) {
                giveBack(queue, batch); // nobody gets it
            }
        });
        return written.thenApply(response -> response.undo(() -> giveBack(queue, batch)));
    }

    /** The client has disconnected before the response was written: other consumers need not wait for the lease to end. */
    private static void giveBack(ItemQueue queue, LeasedBatch batch) {
        Futures.whenDone(
                queue.giveBackAsync(batch.partition(), batch.ids()),
                (done, failure) -> log.debug("event=lease_given_back queue={}", queue.name(), failure));
    }

    /** Not in Querator: ends a waiting lease request. It returns at once, with the items that were leased for it meanwhile, if any. */
    public CompletableFuture<Response> withdraw(Request request) {
        QueueWithdrawRequest wish = MessageCodec.read(request, QueueWithdrawRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_CONSUME).thenApply(queue -> {
            waiting.withdraw(wish);
            return MessageCodec.ok(request);
        });
    }

    public CompletableFuture<Response> complete(Request request) {
        QueueCompleteRequest wish = MessageCodec.read(request, QueueCompleteRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_CONSUME)
                .thenCompose(queue -> lookup.at(queue, wish.getPartition(), () -> complete(queue, wish)))
                .thenApply(done -> MessageCodec.ok(request));
    }

    private static CompletableFuture<Void> complete(ItemQueue queue, QueueCompleteRequest wish) {
        Duration timeout = QueueRules.parseRequestTimeout(wish.getRequestTimeout());
        QueueRules.ids(wish.getIdsCount());
        QueueRules.completeTimeout(timeout);
        return queue.completeAsync(wish.getPartition(), FromWire.ids(wish.getIdsList()));
    }

    public CompletableFuture<Response> retry(Request request) {
        QueueRetryRequest wish = MessageCodec.read(request, QueueRetryRequest.getDefaultInstance());
        int partition = wish.getPartition();
        return lookup.find(request, wish.getQueueName(), QUEUES_CONSUME)
                .thenCompose(queue -> lookup.at(
                        queue, partition, () -> queue.retryAsync(partition, FromWire.retries(wish.getItemsList()))))
                .thenApply(done -> MessageCodec.ok(request));
    }

    /** Not in Querator: extends the lease of items. */
    public CompletableFuture<Response> extend(Request request) {
        QueueExtendRequest wish = MessageCodec.read(request, QueueExtendRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_CONSUME)
                .thenCompose(queue -> lookup.at(queue, wish.getPartition(), () -> extend(queue, wish)))
                .thenApply(deadline -> MessageCodec.ok(
                        request,
                        QueueExtendResponse.newBuilder()
                                .setLeaseDeadline(WireTimes.of(deadline))
                                .build()));
    }

    private static CompletableFuture<Instant> extend(ItemQueue queue, QueueExtendRequest wish) {
        Duration timeout = QueueRules.parseLeaseTimeout(wish.getLeaseTimeout());
        QueueRules.extension(wish.getIdsCount(), timeout);
        return queue.extendAsync(wish.getPartition(), FromWire.ids(wish.getIdsList()), timeout);
    }

    /** Not in Querator: gives back items that were leased and not handled. */
    public CompletableFuture<Response> giveBack(Request request) {
        QueueGiveBackRequest wish = MessageCodec.read(request, QueueGiveBackRequest.getDefaultInstance());
        int partition = wish.getPartition();
        return lookup.find(request, wish.getQueueName(), QUEUES_CONSUME)
                .thenCompose(queue -> lookup.at(queue, partition, () -> {
                    QueueRules.ids(wish.getIdsCount());
                    List<ItemId> ids = FromWire.ids(wish.getIdsList());
                    return queue.giveBackAsync(partition, ids);
                }))
                .thenApply(done -> MessageCodec.ok(request));
    }
}
