package dev.leasehold.client;

import dev.leasehold.queue.LeaseRequest;
import dev.leasehold.queue.LeasedBatch;
import dev.leasehold.queue.QueueException;
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
 * Lease requests of one client.
 *
 * <ol>
 *   <li>All that wait at a queue do so at one server, which deals to them in turn. Another client may choose another server.
 *   <li>Who leaves before the answer is withdrawn at the server where it waits, and the answer is read all the same: what was
 *       leased for it meanwhile is given back. Hanging up instead would leave items leased whose answer was on its way.
 *   <li>A server that does not know the withdrawal, or takes a second for it, is hung up on.
 *   <li>A client id is a matter of one request at a time: the next one goes out when the withdrawn one has been answered.
 * </ol>
 */
final class Leases {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);
    private static final long PAUSE = Duration.ofMillis(20).toNanos();
    private static final int TRIES = 50;

    private final QueueCalls calls;
    private final Timer timer;
    private final int salt = ThreadLocalRandom.current().nextInt();
    private final ConcurrentHashMap<Object, CompletableFuture<LeasedBatch>> waiting = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Client, CompletableFuture<?>> withdrawn = new ConcurrentHashMap<>();

    Leases(QueueCalls calls, Timer timer) {
        this.calls = calls;
        this.timer = timer;
    }

    private record Client(String queue, String id) {}

    CompletableFuture<LeasedBatch> lease(String queue, LeaseRequest request) {
        CompletableFuture<LeasedBatch> result = new CompletableFuture<>();
        if (calls.isClosed()) {
            result.completeExceptionally(QueueAnswers.closed());
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
            Futures.whenDone(before, (answer, failure) -> send(client, request, result));
        }
        return result;
    }

    private void send(Client client, LeaseRequest request, CompletableFuture<LeasedBatch> result) {
        if (result.isDone()) {
            return;
        }
        int server = (client.queue.hashCode() + salt) & Integer.MAX_VALUE;
        CompletableFuture<Answer> asked =
                calls.transport().send(QueuePosts.lease(client.queue, request).at(server));
        Futures.whenDone(asked, (answer, failure) -> answered(client, result, answer, failure));
        Futures.whenDone(result, (batch, failure) -> {
            if (!asked.isDone()) {
                withdrawn.put(client, asked);
                Futures.whenDone(asked, (answer, lost) -> withdrawn.remove(client, asked));
                withdraw(client, server, asked, TRIES);
            }
        });
    }

    private void answered(
            Client client,
            CompletableFuture<LeasedBatch> result,
            @Nullable Answer answer,
            @Nullable Throwable failure) {
        if (answer != null && result.isDone()) {
            giveBack(client, answer);
            return;
        }
        CompletableFuture<LeasedBatch> read = new CompletableFuture<>();
        QueueCalls.settle(read, answer, failure, reply -> QueueReader.leased(client.queue, reply));
        Futures.whenDone(read, (batch, why) -> {
            if (why != null) {
                result.completeExceptionally(why);
            } else if (!result.complete(batch) && answer != null) {
                giveBack(client, answer);
            }
        });
    }

    private void giveBack(Client client, Answer answer) {
        if (!answer.isOk()) {
            return;
        }
        LeasedBatch batch = QueueReader.leased(client.queue, answer);
        Post post = QueuePosts.of(
                "queue.give_back",
                QueueGiveBackRequest.newBuilder()
                        .setQueueName(client.queue)
                        .setPartition(batch.partition())
                        .addAllIds(QueuePosts.texts(batch.ids()))
                        .build());
        Futures.whenDone(calls.transport().send(post), (done, failure) -> {
            if (failure != null || !done.isOk()) {
                log.debug("event=give_back_failed queue={}", client.queue, failure);
            }
        });
    }

    /** Until the lease is answered: the withdrawal may overtake it. */
    private void withdraw(Client client, int server, CompletableFuture<Answer> asked, int tries) {
        if (asked.isDone()) {
            return;
        }
        if (tries == 0) {
            asked.cancel(true);
            return;
        }
        Post post = QueuePosts.withdraw(client.queue, client.id).at(server);
        Futures.whenDone(calls.transport().send(post), (answer, failure) -> {
            boolean isKnown = answer != null && answer.isOk();
            timer.after(PAUSE, () -> withdraw(client, server, asked, isKnown ? tries - 1 : 0));
        });
    }

    /** Tells all who wait that it is over. */
    void close() {
        waiting.values().forEach(result -> result.completeExceptionally(QueueException.shuttingDown()));
    }
}
