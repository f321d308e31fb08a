package dev.leasehold.server.http;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A request in the trace that its caller has begun, by {@code traceparent} and {@code tracestate}. Without an OpenTelemetry SDK in
 * the process nothing is recorded, and the caller's trace id is still passed on.
 */
final class RequestTrace {
    private static final int SERVER_ERROR = 500;
    private static final TextMapGetter<HttpServerRequest> HEADERS =
            (request, name) -> request == null ? null : request.getHeader(name);

    private final Context context;
    private final Span span;

    private RequestTrace(Context context, Span span) {
        this.context = context;
        this.span = span;
    }

    static RequestTrace begin(HttpServerRequest request, Route route) {
        Context parent = W3CTraceContextPropagator.getInstance().extract(Context.root(), request, HEADERS);
        Span span = GlobalOpenTelemetry.getTracer("dev.leasehold.server")
                .spanBuilder(route.operation())
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        return new RequestTrace(parent.with(span), span);
    }

    /** Puts the trace id down for the request log, if there is one. */
    void note(Map<String, Object> notes) {
        if (span.getSpanContext().isValid()) {
            notes.put("trace_id", span.getSpanContext().getTraceId());
        }
    }

    /** Calls something that may begin spans of its own. */
    <T> T call(Supplier<T> work) {
        return context.wrapSupplier(work).get();
    }

    void end(int status) {
        span.setAttribute("http.response.status_code", status);
        if (status >= SERVER_ERROR) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
