package dev.leasehold.client;

import dev.leasehold.client.NoReplyException.Kind;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.spi.Nanos;
import dev.leasehold.spi.Timer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls to the servers in turn (round robin).
 *
 * <ol>
 *   <li>A call that was not sent, or that is idempotent, is retried: three attempts in all, after short pauses, within its timeout.
 *       Other calls are not.
 *   <li>At most {@link #CONNECTIONS} calls are in flight; those that wait at the server do not count.
 *   <li>Cancelling a call ends its exchange: the server sees the connection close.
 * </ol>
 *
 * <p>The HTTP client of Java 17 cannot be closed. Closing this ends the exchanges; idle threads end by themselves, and idle connections
 * and the selector when the client is garbage collected.
 */
final class Transport implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transport.class);
    static final int CONNECTIONS = 64;
    private static final int TRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final ClientConfig config;
    private final HttpClient client;
    private final Timer timer;
    private final ConcurrencyLimit gate = new ConcurrencyLimit(CONNECTIONS);
    private final AtomicInteger turn = new AtomicInteger();
    private final ConcurrentHashMap<Object, CompletableFuture<HttpReply>> underWay = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Transport(ClientConfig config, Timer timer) {
        this.config = config;
        this.timer = timer;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(config.timeout())
                .executor(new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        5,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        Timer.daemon("leasehold-http")));
        if (config.sslContext() != null) {
            builder.sslContext(config.sslContext());
        }
        this.client = builder.build();
    }

    /** Sends a call. The future fails only with {@link NoReplyException}; cancelling it ends the exchange. */
    @SuppressWarnings("CollectionUndefinedEquality") // a future is equal to itself alone, and that is what is meant
    CompletableFuture<HttpReply> send(HttpCall call) {
        CompletableFuture<HttpReply> result = new CompletableFuture<>();
        Object place = new Object();
        underWay.put(place, result);
        Duration time = config.timeout().plus(call.patience());
        Future<?> alarm = timer.schedule(Nanos.of(time), () -> result.completeExceptionally(late(time)));
        Futures.whenDone(result, (reply, failure) -> {
            alarm.cancel(false);
            underWay.remove(place);
        });
        if (closed) {
            result.completeExceptionally(closed());
        } else {
            attempt(new Flight(call, request(call), result), 1);
        }
        return result;
    }

    private record Flight(HttpCall call, HttpRequest.Builder request, CompletableFuture<HttpReply> result) {
        Flight again(CompletableFuture<HttpReply> result) {
            return new Flight(call, request, result);
        }
    }

    /** The request without the server's address. */
    private HttpRequest.Builder request(HttpCall call) {
        HttpRequest.Builder builder = HttpRequest.newBuilder()
                .setHeader("Content-Type", call.contentType())
                .setHeader("Accept", call.contentType())
                .POST(HttpRequest.BodyPublishers.ofByteArray(call.body()));
        call.headers().forEach(builder::setHeader);
        config.headers().get().forEach(builder::setHeader);
        String token = config.token().get();
        if (!token.isEmpty()) {
            builder.setHeader("Authorization", "Bearer " + token);
        }
        return builder;
    }

    private void attempt(Flight flight, int tries) {
        if (flight.result.isDone()) {
            return;
        }
        if (flight.call.isParked()) {
            exchange(flight, tries, () -> {});
        } else {
            gate.enter(flight.result::isDone, () -> exchange(flight, tries, gate::leave));
        }
    }

    private void exchange(Flight flight, int tries, Runnable atEnd) {
        int number = flight.call.server();
        URI server = config.server(number < 0 ? turn.getAndIncrement() : number + tries - 1);
        HttpRequest request = flight.request
                .copy()
                .uri(URI.create(server + flight.call.path()))
                .build();
        CompletableFuture<HttpResponse<byte[]>> exchange = client.sendAsync(request, BodyHandlers.ofByteArray());
        Futures.whenDone(exchange, (response, failure) -> atEnd.run());
        Futures.whenDone(flight.result, (reply, failure) -> exchange.cancel(true));
        Futures.whenDone(exchange, (response, failure) -> settle(flight, tries, server, response, failure));
    }

    private void settle(
            Flight flight,
            int tries,
            URI server,
            @Nullable HttpResponse<byte[]> response,
            @Nullable Throwable failure) {
        if (response != null) {
            String type = response.headers().firstValue("Content-Type").orElse("");
            flight.result.complete(new HttpReply(response.statusCode(), type, response.body(), false));
            return;
        }
        if (flight.result.isDone()) {
            return; // it was cancelled, or its time is over: that ended the exchange
        }
        NoReplyException why =
                NoReplyException.of(failure == null ? new IllegalStateException() : failure, server.toString());
        log.debug("event=unanswered path={} tries={} kind={}", flight.call.path(), tries, why.kind(), failure);
        if (tries < TRIES && (why.isUnsent() || flight.call.isRepeatable())) {
            repeat(flight, tries, why);
        } else {
            flight.result.completeExceptionally(why);
        }
    }

    private void repeat(Flight flight, int tries, NoReplyException why) {
        CompletableFuture<HttpReply> again = new CompletableFuture<>();
        Futures.whenDone(flight.result, (reply, failure) -> again.cancel(true));
        Futures.whenDone(again, (reply, failure) -> {
            if (reply != null) {
                flight.result.complete(why.isUnsent() ? reply : reply.repeated());
            } else if (failure != null) {
                flight.result.completeExceptionally(
                        failure instanceof NoReplyException next ? next.after(why) : failure);
            }
        });
        timer.after(FIRST_PAUSE.multipliedBy(tries).toNanos(), () -> attempt(flight.again(again), tries + 1));
    }

    private static NoReplyException late(Duration time) {
        return new NoReplyException(
                Kind.LATE,
                "No answer came within " + GoDuration.format(time) + "; what became of the call is not known",
                null);
    }

    private static NoReplyException closed() {
        return new NoReplyException(Kind.CLOSED, "The client is closed", null);
    }

    /** Waits until no call is in flight, nor one that follows from another, for this long at most. */
    void drain(Duration atMost) {
        long untilNanos = System.nanoTime() + atMost.toNanos();
        try {
            while (!underWay.isEmpty() && untilNanos - System.nanoTime() > 0) {
                CompletableFuture<?>[] all = underWay.values().stream()
                        .map(call -> call.handle((reply, failure) -> reply))
                        .toArray(CompletableFuture<?>[]::new);
                CompletableFuture.allOf(all).get(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("event=drain_incomplete", e);
        }
    }

    /** Fails the calls in flight, and later ones. */
    @Override
    public void close() {
        closed = true;
        underWay.values().forEach(call -> call.completeExceptionally(closed()));
    }
}
