package dev.leasehold.server.http;

import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.spi.Futures;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, from its head to its response.
 *
 * <ol>
 *   <li>A request of a page of another site, a wrong method and a body for an open route are refused.
 *   <li>The client is authenticated, before anything of the body is kept.
 *   <li>The body is read, up to the limit of the route, within the {@link BodyBudget} and within the time for a request.
 *   <li>The handler is called; large bodies are decoded in a worker thread, to keep the event loop free.
 *   <li>The response is written. If the client disconnects before, {@link Request#gone} completes.
 * </ol>
 *
 * Everything here runs on the event loop of the connection, except the handler's future.
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
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final ExchangeRecord recorded;
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
        this.recorded = new ExchangeRecord(transport.listener(), request, match.route());
        this.hasBody = RequestHead.hasBody(request);
        this.share = transport.budget().open(() -> context.runOnContext(v -> cancelled()));
        this.body = new RequestBody(request, share, transport.budget().limitOf(match.route()));
        this.writer = new ResponseWriter(transport.connections(), request, share);
    }

    void begin() {
        recorded.begin();
        within(transport.limits().requestTime());
        request.response().closeHandler(closed -> hungUp());
        request.exceptionHandler(e -> log.debug("event=request_failed", e));
        if (request.response().writeQueueFull()) {
            afterEarlierAnswers();
        } else {
            receive();
        }
    }

    /** A client that pipelines requests without reading gets no more responses until it has read those that were written. */
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

    /** The response to a request that is refused whoever sends it; null if it is not. */
    private @Nullable Response refusal() {
        ForbiddenException otherSite = transport.crossSiteGuard().refusal(request);
        if (otherSite != null) {
            return failed(otherSite);
        }
        ErrorMapper errors = match.route().errors();
        if (!match.isMethodKnown()) {
            return errors.wrongMethod(request::getHeader, request.method().name(), recorded.notes());
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

    /** Responds while the body is still arriving. The rest is discarded for a moment, so that the client can read the response. */
    private void answerEarly(Response response) {
        request.handler(ignored -> {});
        answer(response.header("Connection", "close"), DRAIN_TIME);
    }

    /** The budget is used up, and this transfer is the oldest. */
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
            answer = recorded.call(() -> match.route().handler().handle(whole));
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        whole.dropBody();
        if (match.route().bodyLimit() <= BIG_BODY) {
            share.release(); // decoded, such a body has some hundred bytes; the request may wait for minutes
        }
        Futures.whenDone(answer, (response, failure) -> {
            if (failure != null && gone.isDone()) {
                share.close();
                return; // cancelled because the client has disconnected
            }
            Response ready = failure == null ? response : failed(failure);
            onEventLoop(() -> answer(ready));
        });
    }

    /** Runs at once on the event loop: queued responses would be in memory without being charged to the budget. */
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
                recorded.notes(),
                gone);
    }

    private Response failed(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failed(failure.getCause())
                : match.route().errors().failure(request::getHeader, failure, recorded.notes());
    }

    private void hungUp() {
        if (!isAnswered) {
            isAnswered = true;
            gone.complete(null);
            recorded.end(CLIENT_GONE);
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
        recorded.end(answer.status());
        writer.send(answer, next);
    }

    private void within(Duration time) {
        transport.connections().within(request.connection(), time);
    }
}
