package dev.leasehold.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What is recorded of an exchange: its trace, its times, and the fields of the request log. */
final class ExchangeRecord {
    private final RequestListener listener;
    private final HttpServerRequest request;
    private final Route route;
    private final RequestTrace trace;
    private final long startMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private final Map<String, Object> notes = Collections.synchronizedMap(new LinkedHashMap<>());

    ExchangeRecord(RequestListener listener, HttpServerRequest request, Route route) {
        this.listener = listener;
        this.request = request;
        this.route = route;
        this.trace = RequestTrace.begin(request, route);
    }

    void begin() {
        listener.began(route);
        trace.note(notes);
    }

    /** Additional fields for the request log, in this order. */
    Map<String, Object> notes() {
        return notes;
    }

    /** Calls a handler, whose spans are part of the trace. */
    <T> T call(Supplier<T> handler) {
        return trace.call(handler);
    }

    void end(int status) {
        trace.end(status);
        listener.answered(new RequestListener.Answered(
                route,
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
