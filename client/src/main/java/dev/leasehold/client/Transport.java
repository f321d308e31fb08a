package dev.leasehold.client;

import dev.leasehold.GoDuration;
import dev.leasehold.client.Unanswered.Kind;
import dev.leasehold.spi.Futures;
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
 * Carries calls to the servers, in turn, and answers back.
 *
 * <ol>
 *   <li>A call that never left, or that can be carried out twice, is tried again: three times in all, after short pauses, and
 *       within its time. Nothing else is.
 *   <li>At most {@link #CONNECTIONS} calls are under way at once; those that the server holds on purpose do not count.
 *   <li>Cancelling a call ends its exchange: the server sees the connection close.
 * </ol>
 *
 * <p>The HTTP client of Java 17 cannot be closed. What can be freed is freed: exchanges end, idle threads end by themselves, and
 * idle connections and the selector go when the client is garbage.
 */
final class Transport implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transport.class);
    static final int CONNECTIONS = 64;
    private static final int TRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final ClientConfig config;
    private final HttpClient client;
    private final Timer timer;
    private final Gate gate = new Gate(CONNECTIONS);
    private final AtomicInteger turn = new AtomicInteger();
    private final ConcurrentHashMap<Object, CompletableFuture<Answer>> underWay = new ConcurrentHashMap<>();
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

    /** Sends a call. The future fails only with {@link Unanswered}; cancelling it ends the exchange. */
    @SuppressWarnings("CollectionUndefinedEquality") // a future is equal to itself alone, and that is what is meant
    CompletableFuture<Answer> send(Post post) {
        CompletableFuture<Answer> result = new CompletableFuture<>();
        Object place = new Object();
        underWay.put(place, result);
        Duration time = config.timeout().plus(post.patience());
        Future<?> alarm = timer.schedule(Nanos.of(time), () -> result.completeExceptionally(late(time)));
        Futures.whenDone(result, (answer, failure) -> {
            alarm.cancel(false);
            underWay.remove(place);
        });
        if (closed) {
            result.completeExceptionally(closed());
        } else {
            attempt(new Flight(post, request(post), result), 1);
        }
        return result;
    }

    private record Flight(Post post, HttpRequest.Builder request, CompletableFuture<Answer> result) {
        Flight again(CompletableFuture<Answer> result) {
            return new Flight(post, request, result);
        }
    }

    /** All of the request but the server. */
    private HttpRequest.Builder request(Post post) {
        HttpRequest.Builder builder = HttpRequest.newBuilder()
                .setHeader("Content-Type", post.contentType())
                .setHeader("Accept", post.contentType())
                .POST(HttpRequest.BodyPublishers.ofByteArray(post.body()));
        post.headers().forEach(builder::setHeader);
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
        if (flight.post.isParked()) {
            exchange(flight, tries, () -> {});
        } else {
            gate.enter(flight.result::isDone, () -> exchange(flight, tries, gate::leave));
        }
    }

    private void exchange(Flight flight, int tries, Runnable atEnd) {
        int number = flight.post.server();
        URI server = config.server(number < 0 ? turn.getAndIncrement() : number + tries - 1);
        HttpRequest request = flight.request
                .copy()
                .uri(URI.create(server + flight.post.path()))
                .build();
        CompletableFuture<HttpResponse<byte[]>> exchange = client.sendAsync(request, BodyHandlers.ofByteArray());
        Futures.whenDone(exchange, (response, failure) -> atEnd.run());
        Futures.whenDone(flight.result, (answer, failure) -> exchange.cancel(true));
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
            flight.result.complete(new Answer(response.statusCode(), type, response.body(), false));
            return;
        }
        if (flight.result.isDone()) {
            return; // it was cancelled, or its time is over: that ended the exchange
        }
        Unanswered why = Unanswered.of(failure == null ? new IllegalStateException() : failure, server.toString());
        log.debug("event=unanswered path={} tries={} kind={}", flight.post.path(), tries, why.kind(), failure);
        if (tries < TRIES && (why.isUnsent() || flight.post.isRepeatable())) {
            repeat(flight, tries, why);
        } else {
            flight.result.completeExceptionally(why);
        }
    }

    private void repeat(Flight flight, int tries, Unanswered why) {
        CompletableFuture<Answer> again = new CompletableFuture<>();
        Futures.whenDone(flight.result, (answer, failure) -> again.cancel(true));
        Futures.whenDone(again, (answer, failure) -> {
            if (answer != null) {
                flight.result.complete(why.isUnsent() ? answer : answer.repeated());
            } else if (failure != null) {
                flight.result.completeExceptionally(failure instanceof Unanswered next ? next.after(why) : failure);
            }
        });
        timer.after(FIRST_PAUSE.multipliedBy(tries).toNanos(), () -> attempt(flight.again(again), tries + 1));
    }

    private static Unanswered late(Duration time) {
        return new Unanswered(
                Kind.LATE,
                "No answer came within " + GoDuration.format(time) + "; what became of the call is not known",
                null);
    }

    private static Unanswered closed() {
        return new Unanswered(Kind.CLOSED, "The client is closed", null);
    }

    /** Waits until nothing is under way, nor what follows from it, at most so long. */
    void drain(Duration atMost) {
        long untilNanos = System.nanoTime() + atMost.toNanos();
        try {
            while (!underWay.isEmpty() && untilNanos - System.nanoTime() > 0) {
                CompletableFuture<?>[] all = underWay.values().stream()
                        .map(call -> call.handle((answer, failure) -> answer))
                        .toArray(CompletableFuture<?>[]::new);
                CompletableFuture.allOf(all).get(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("event=drain_incomplete", e);
        }
    }

    /** Ends what is under way. Later calls fail. */
    @Override
    public void close() {
        closed = true;
        underWay.values().forEach(call -> call.completeExceptionally(closed()));
    }
}
