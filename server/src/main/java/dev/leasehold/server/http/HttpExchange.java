package dev.leasehold.server.http;

import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.spi.Futures;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, from its head to its answer.
 *
 * <ol>
 *   <li>A page of another site, a wrong method and a body for an open route are refused.
 *   <li>The caller is authenticated, before anything of the body is kept.
 *   <li>The body is read, up to the limit of the route, within the {@link BodyBudget} and within the time for a request.
 *   <li>The handler is called; big bodies are decoded by a worker, so that they hold up nobody.
 *   <li>The answer is written. If the caller has hung up meanwhile, the handler has been told.
 * </ol>
 *
 * Everything here runs on the event loop of the connection, but for what the handler's future does.
 */
final class HttpExchange {
    private static final Logger log = LoggerFactory.getLogger(HttpExchange.class);
    private static final int BIG_BODY = 65_536;
    private static final int CLIENT_GONE = 499;
    private static final Duration DRAIN_TIME = Duration.ofSeconds(2);

    private final HttpTransport transport;
    private final HttpServerRequest request;
    private final Router.Match match;
    private final Context context;
    private final long startMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private final Map<String, Object> notes = Collections.synchronizedMap(new LinkedHashMap<>());
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final RequestTrace trace;
    private final boolean hasBody;
    private final BodyBudget.Share share;
    private final RequestBody body;
    private final ResponseWriter writer;
    private @Nullable Principal principal;
    private boolean isHandled;
    private boolean isAnswered;

    HttpExchange(HttpTransport transport, HttpServerRequest request, Router.Match match) {
        this.transport = transport;
        this.request = request;
        this.match = match;
        this.context = transport.vertx().getOrCreateContext();
        this.trace = RequestTrace.begin(request, match.route());
        this.hasBody = RequestHead.hasBody(request);
        this.share = transport.budget().open(() -> context.runOnContext(v -> cancelled()));
        this.body = new RequestBody(request, share, transport.budget().limitOf(match.route()));
        this.writer = new ResponseWriter(transport.connections(), request, share);
    }

    void begin() {
        transport.listener().began(match.route());
        trace.note(notes);
        within(transport.limits().requestTime());
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
        within(ResponseWriter.TIME);
        request.pause();
        request.response().drainHandler(drained -> {
            request.response().drainHandler(null);
            request.resume();
            within(transport.limits().requestTime());
            receive();
        });
    }

    private void receive() {
        Response refusal = refusal();
        if (refusal != null) {
            refuse(refusal);
        } else if (match.route().isOpen()) {
            principal = Principal.ANONYMOUS;
            readBody();
        } else {
            authenticate();
        }
    }

    /** The answer to a head that is refused whoever sends it; null if it is not. */
    private @Nullable Response refusal() {
        ForbiddenException otherSite = transport.crossSiteGuard().refusal(request);
        if (otherSite != null) {
            return failed(otherSite);
        }
        ErrorMapper errors = match.route().errors();
        if (!match.isMethodKnown()) {
            return errors.wrongMethod(request::getHeader, request.method().name(), notes);
        }
        return match.route().isOpen() && hasBody ? errors.tooLarge(request::getHeader, Route.NO_BODY) : null;
    }

    /** Refuses a request whose body, if it has one, has not been read. */
    private void refuse(Response response) {
        if (hasBody && !request.isEnded()) {
            answerEarly(response);
        } else {
            answer(response);
        }
    }

    private void authenticate() {
        CompletableFuture<Principal> who = transport.access().authenticate(request.getHeader("Authorization"));
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
            refuse(failed(e));
        }
    }

    private void readBody() {
        if (RequestHead.announced(request) > body.limit()) {
            answerEarly(tooLarge());
            return;
        }
        if (hasBody) {
            share.beginTransfer();
        }
        if (RequestHead.isWaitingToContinue(request)) {
            request.response().writeContinue();
        }
        request.handler(this::add);
        request.endHandler(end -> {
            if (!isAnswered && (!hasBody || share.endTransfer())) {
                handle();
            }
        });
    }

    private void add(Buffer chunk) {
        if (!isAnswered && !body.fits(chunk)) {
            answerEarly(tooLarge());
        } else if (!isAnswered && !body.add(chunk)) {
            answerEarly(failed(new OverloadedException()));
        }
    }

    private Response tooLarge() {
        return match.route().errors().tooLarge(request::getHeader, body.limit());
    }

    /** Answers while the body is still coming: the rest is thrown away for a moment, so that the caller gets to read the answer. */
    private void answerEarly(Response response) {
        request.handler(ignored -> {});
        answer(response.header("Connection", "close"), DRAIN_TIME);
    }

    /** Others need the memory, and this transfer has taken longer than theirs. */
    private void cancelled() {
        if (isAnswered) {
            Connections.abort(request.connection());
        } else {
            answerEarly(failed(new OverloadedException()));
        }
    }

    private void handle() {
        transport.connections().withoutLimit(request.connection());
        isHandled = true;
        byte[] bytes = body.take();
        Executor executor = bytes.length > BIG_BODY ? transport.workers() : Runnable::run;
        try {
            executor.execute(() -> handle(bytes));
        } catch (RejectedExecutionException e) {
            answer(failed(new OverloadedException()));
        }
    }

    private void handle(byte[] bytes) {
        Request whole = whole(bytes);
        CompletableFuture<Response> answer;
        try {
            answer = trace.call(() -> match.route().handler().handle(whole));
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        whole.dropBody();
        if (match.route().bodyLimit() <= BIG_BODY) {
            share.release(); // what such a body says is some hundred bytes; the request may wait for minutes
        }
        Futures.whenDone(answer, (response, failure) -> {
            if (failure != null && gone.isDone()) {
                share.close();
                return; // that is how the handler was told
            }
            Response ready = failure == null ? response : failed(failure);
            onEventLoop(() -> answer(ready));
        });
    }

    /** At once if this is the event loop: answers in its line are in memory, and not charged before their turn. */
    private void onEventLoop(Runnable action) {
        if (Vertx.currentContext() == context) {
            action.run();
        } else {
            context.runOnContext(v -> action.run());
        }
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

    private Response failed(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failed(failure.getCause())
                : match.route().errors().failure(request::getHeader, failure, notes);
    }

    private void hungUp() {
        if (!isAnswered) {
            isAnswered = true;
            gone.complete(null);
            tell(CLIENT_GONE);
        }
        body.drop();
        if (!isHandled) {
            share.close();
        }
    }

    private void answer(Response wanted) {
        answer(wanted, transport.limits().idleTime());
    }

    /** @param next how long the connection may be silent afterwards */
    private void answer(Response wanted, Duration next) {
        if (isAnswered) {
            ResponseWriter.undo(wanted);
            share.close();
            return;
        }
        isAnswered = true;
        isHandled = false;
        body.drop();
        share.release();
        Response answer = writer.charge(wanted, () -> failed(new OverloadedException()));
        tell(answer.status());
        writer.send(answer, next);
    }

    private void within(Duration time) {
        transport.connections().within(request.connection(), time);
    }

    private void tell(int status) {
        trace.end(status);
        transport
                .listener()
                .answered(new RequestListener.Answered(
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
