package dev.leasehold.client;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import dev.leasehold.wire.QueueGiveBackRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease requests of one client.
 *
 * <ol>
 *   <li>All requests for a queue wait at one server, which serves them in order. Another client may choose another server.
 *   <li>A cancelled request is withdrawn at that server, and its reply is read all the same: items that were leased for it meanwhile
 *       are given back. Closing the connection instead would leave them leased if the reply was under way.
 *   <li>If the server does not know the withdrawal, or takes a second for it, the connection is closed.
 *   <li>A client id has one request at a time: the next one is sent when the withdrawn one has its reply.
 * </ol>
 */
final class LeaseRequests {
    private static final Logger log = LoggerFactory.getLogger(LeaseRequests.class);
    private static final long PAUSE = Duration.ofMillis(20).toNanos();
    private static final int TRIES = 50;

    private final QueueApi calls;
    private final Timer timer;
    private final int salt = ThreadLocalRandom.current().nextInt();
    private final ConcurrentHashMap<Object, CompletableFuture<LeasedBatch>> waiting = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Client, CompletableFuture<?>> withdrawn = new ConcurrentHashMap<>();

    LeaseRequests(QueueApi calls, Timer timer) {
        this.calls = calls;
        this.timer = timer;
    }

    private record Client(String queue, String id) {}

    CompletableFuture<LeasedBatch> lease(String queue, LeaseRequest request) {
        CompletableFuture<LeasedBatch> result = new CompletableFuture<>();
        if (calls.isClosed()) {
            result.completeExceptionally(QueueReplies.closed());
            return result;
        }
        Object place = new Object();
        waiting.put(place, result);
        Futures.whenDone(result, (batch, failure) -> waiting.remove(place));
        Client client = new Client(queue, request.clientId());
        CompletableFuture<?> before = withdrawn.get(client);
        if (before == null) {
            send(client, request, result);
        } else {
            Futures.whenDone(before, (reply, failure) -> send(client, request, result));
        }
        return result;
    }

    private void send(Client client, LeaseRequest request, CompletableFuture<LeasedBatch> result) {
        if (result.isDone()) {
            return;
        }
        int server = (client.queue.hashCode() + salt) & Integer.MAX_VALUE;
        CompletableFuture<HttpReply> asked =
                calls.transport().send(QueueCalls.lease(client.queue, request).at(server));
        Futures.whenDone(asked, (reply, failure) -> answered(client, result, reply, failure));
        Futures.whenDone(result, (batch, failure) -> {
            if (!asked.isDone()) {
                withdrawn.put(client, asked);
                Futures.whenDone(asked, (reply, lost) -> withdrawn.remove(client, asked));
                withdraw(client, server, asked, TRIES);
            }
        });
    }

    private void answered(
            Client client,
            CompletableFuture<LeasedBatch> result,
            @Nullable HttpReply reply,
            @Nullable Throwable failure) {
        if (reply != null && result.isDone()) {
            giveBack(client, reply);
            return;
        }
        CompletableFuture<LeasedBatch> read = new CompletableFuture<>();
        QueueApi.settle(read, reply, failure, known -> QueueDecoder.leased(client.queue, known));
        Futures.whenDone(read, (batch, why) -> {
            if (why != null) {
                result.completeExceptionally(why);
            } else if (!result.complete(batch) && reply != null) {
                giveBack(client, reply);
            }
        });
    }

    private void giveBack(Client client, HttpReply reply) {
        if (!reply.isOk()) {
            return;
        }
        LeasedBatch batch = QueueDecoder.leased(client.queue, reply);
        HttpCall call = QueueCalls.of(
                "queue.give_back",
                QueueGiveBackRequest.newBuilder()
                        .setQueueName(client.queue)
                        .setPartition(batch.partition())
                        .addAllIds(QueueCalls.texts(batch.ids()))
                        .build());
        Futures.whenDone(calls.transport().send(call), (done, failure) -> {
            if (failure != null || !done.isOk()) {
                log.debug("event=give_back_failed queue={}", client.queue, failure);
            }
        });
    }

    /** Repeated until the lease has its reply: the withdrawal may overtake it. */
    private void withdraw(Client client, int server, CompletableFuture<HttpReply> asked, int tries) {
        if (asked.isDone()) {
            return;
        }
        if (tries == 0) {
            asked.cancel(true);
            return;
        }
        HttpCall call = QueueCalls.withdraw(client.queue, client.id).at(server);
        Futures.whenDone(calls.transport().send(call), (reply, failure) -> {
            boolean isKnown = reply != null && reply.isOk();
            timer.after(PAUSE, () -> withdraw(client, server, asked, isKnown ? tries - 1 : 0));
        });
    }

    /** Fails all waiting requests. */
    void close() {
        waiting.values().forEach(result -> result.completeExceptionally(QueueException.shuttingDown()));
    }
}
