package dev.leasehold.server.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.util.function.Supplier;

/** Writes the response of an exchange: within a deadline, and charged to the budget until the client has read it. */
final class ResponseWriter {
    /** How long the peer may take. */
    static final Duration TIME = Duration.ofSeconds(60);

    /** A response of this size is sent even if the budget is used up: what it reports has been done. */
    private static final int SMALL = 4_096;

    private final Connections connections;
    private final HttpServerRequest request;
    private final BodyBudget.Share share;

    ResponseWriter(Connections connections, HttpServerRequest request, BodyBudget.Share share) {
        this.connections = connections;
        this.request = request;
        this.share = share;
    }

    /** Charges a response. If there is no room, it is undone, and {@code instead} is sent. */
    Response charge(Response answer, Supplier<Response> instead) {
        int length = answer.body().length;
        if (length <= SMALL) {
            share.force(length);
            return answer;
        }
        if (share.add(length)) {
            return answer;
        }
        undo(answer);
        return instead.get();
    }

    static void undo(Response answer) {
        Runnable undo = answer.undo();
        if (undo != null) {
            undo.run();
        }
    }

    /** @param next how long the connection may be silent afterwards */
    void send(Response answer, Duration next) {
        HttpServerResponse response = request.response().setStatusCode(answer.status());
        if (answer.reason() != null) {
            response.setStatusMessage(answer.reason());
        }
        response.putHeader("X-Content-Type-Options", "nosniff");
        answer.headers().forEach(response::putHeader);
        response.putHeader(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().length));
        write(response, answer, next);
    }

    /** Not copied: the budget counts a response once. */
    private static Buffer wrapped(byte[] body) {
        return BufferInternal.buffer(Unpooled.wrappedBuffer(body));
    }

    private void write(HttpServerResponse response, Response answer, Duration next) {
        connections.within(request.connection(), TIME);
        share.beginTransfer();
        boolean isHead = request.method().name().equals("HEAD");
        (isHead ? response.end() : response.end(wrapped(answer.body()))).onComplete(done -> {
            connections.within(request.connection(), next);
            share.close();
            if (done.failed()) {
                undo(answer);
            }
        });
    }
}
