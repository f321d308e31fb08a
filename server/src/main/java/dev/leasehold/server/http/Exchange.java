package dev.leasehold.server.http;

import dev.leasehold.server.auth.Principal;
import dev.leasehold.spi.Futures;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, from its head to its answer.
 *
 * <ol>
 *   <li>A wrong method is refused.
 *   <li>The caller is asked who they are, before anything of the body is kept.
 *   <li>The body is read, up to the limit of the route and within the time for a request.
 *   <li>The handler is called; big bodies are decoded by a worker, so that they hold up nobody.
 *   <li>The answer is written. If the caller has hung up meanwhile, the handler has been told.
 * </ol>
 *
 * Everything here runs on the event loop of the connection, but for what the handler's future does.
 */
final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final int BIG_BODY = 65_536;
    private static final int CLIENT_GONE = 499;
    private static final Duration WRITE_TIME = Duration.ofSeconds(60);
    private static final Duration DRAIN_TIME = Duration.ofSeconds(2);

    private final HttpFront front;
    private final HttpServerRequest request;
    private final Router.Match match;
    private final Context context;
    private final long startMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private final Map<String, Object> notes = Collections.synchronizedMap(new LinkedHashMap<>());
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final Buffer body = Buffer.buffer();
    private final Trace trace;
    private @Nullable Principal principal;
    private boolean isAnswered;

    Exchange(HttpFront front, HttpServerRequest request, Router.Match match) {
        this.front = front;
        this.request = request;
        this.match = match;
        this.context = front.vertx().getOrCreateContext();
        this.trace = Trace.begin(request, match.route());
    }

    void begin() {
        front.observer().began(match.route());
        trace.note(notes);
        within(front.limits().requestTime());
        request.response().closeHandler(closed -> hungUp());
        request.exceptionHandler(e -> log.debug("event=request_failed", e));
        if (request.response().writeQueueFull()) {
            afterEarlierAnswers();
        } else {
            receive();
        }
    }

    /** Who asks on and on without reading gets no more answers until those that are out have been taken. */
    private void afterEarlierAnswers() {
        within(WRITE_TIME);
        request.pause();
        request.response().drainHandler(drained -> {
            request.response().drainHandler(null);
            request.resume();
            within(front.limits().requestTime());
            receive();
        });
    }

    private void receive() {
        if (!match.isMethodKnown()) {
            answer(match.route()
                    .family()
                    .wrongMethod(request::getHeader, request.method().name(), notes));
        } else if (match.route().isOpen()) {
            principal = Principal.ANONYMOUS;
            readBody();
        } else {
            authenticate();
        }
    }

    private void authenticate() {
        CompletableFuture<Principal> who = front.access().authenticate(request.getHeader("Authorization"));
        if (who.isDone()) {
            authenticated(who);
            return;
        }
        request.pause();
        Futures.whenDone(
                who,
                (known, failure) -> context.runOnContext(v -> {
                    request.resume();
                    authenticated(who);
                }));
    }

    private void authenticated(CompletableFuture<Principal> who) {
        try {
            principal = who.join();
            readBody();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void readBody() {
        request.handler(this::add);
        request.endHandler(end -> {
            if (!isAnswered) {
                handle();
            }
        });
    }

    private void add(Buffer chunk) {
        int limit = match.route().bodyLimit();
        if (!isAnswered && body.length() + chunk.length() > limit) {
            answerEarly(match.route().family().tooLarge(request::getHeader, limit));
        } else if (!isAnswered) {
            body.appendBuffer(chunk);
        }
    }

    /** Answers while the body is still coming: the rest is thrown away for a moment, so that the caller gets to read the answer. */
    private void answerEarly(Response response) {
        answer(response.header("Connection", "close"), DRAIN_TIME);
    }

    private void handle() {
        within(null);
        byte[] bytes = body.getBytes();
        if (bytes.length > BIG_BODY) {
            front.workers().execute(() -> handle(bytes));
        } else {
            handle(bytes);
        }
    }

    private void handle(byte[] bytes) {
        CompletableFuture<Response> answer;
        try {
            answer = trace.call(() -> match.route().handler().handle(whole(bytes)));
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(answer, (response, failure) -> {
            if (failure != null && gone.isDone()) {
                return; // that is how the handler was told
            }
            Response ready = failure == null ? response : failed(failure);
            context.runOnContext(v -> answer(ready));
        });
    }

    private Request whole(byte[] bytes) {
        return new Request(
                request.method().name(),
                request.path(),
                match.parts(),
                request::getHeader,
                bytes,
                principal == null ? Principal.ANONYMOUS : principal,
                notes,
                gone);
    }

    private void fail(Throwable failure) {
        Response response = failed(failure);
        if (request.isEnded()) {
            answer(response);
        } else {
            request.handler(ignored -> {});
            answerEarly(response);
        }
    }

    private Response failed(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return match.route().family().failure(request::getHeader, cause, notes);
    }

    private void hungUp() {
        if (!isAnswered) {
            isAnswered = true;
            gone.complete(null);
            tell(CLIENT_GONE);
        }
    }

    private void answer(Response answer) {
        answer(answer, front.limits().idleTime());
    }

    /** @param next how long the connection may be silent afterwards */
    private void answer(Response answer, Duration next) {
        if (isAnswered) {
            undo(answer);
            return;
        }
        isAnswered = true;
        tell(answer.status());
        HttpServerResponse response = request.response().setStatusCode(answer.status());
        if (answer.reason() != null) {
            response.setStatusMessage(answer.reason());
        }
        response.putHeader("X-Content-Type-Options", "nosniff");
        answer.headers().forEach(response::putHeader);
        response.putHeader(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().length));
        write(response, answer, next);
    }

    private static void undo(Response answer) {
        Runnable undo = answer.undo();
        if (undo != null) {
            undo.run();
        }
    }

    private void write(HttpServerResponse response, Response answer, Duration next) {
        within(WRITE_TIME);
        boolean isHead = request.method().name().equals("HEAD");
        (isHead ? response.end() : response.end(Buffer.buffer(answer.body()))).onComplete(done -> {
            within(next);
            if (done.failed()) {
                undo(answer);
            }
        });
    }

    private void within(@Nullable Duration time) {
        if (time == null) {
            front.connections().withoutLimit(request.connection());
        } else {
            front.connections().within(request.connection(), time);
        }
    }

    private void tell(int status) {
        trace.end(status);
        front.observer()
                .answered(new Observer.Answered(
                        match.route(),
                        request.method().name(),
                        request.path(),
                        request::getHeader,
                        String.valueOf(request.remoteAddress()),
                        status,
                        startMillis,
                        System.nanoTime() - startNanos,
                        notes));
    }
}
