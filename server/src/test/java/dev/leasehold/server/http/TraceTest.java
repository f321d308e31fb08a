package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.ApiKeys;
import io.opentelemetry.api.trace.Span;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TraceTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String TRACEPARENT = "00-" + TRACE_ID + "-00f067aa0ba902b7-01";

    private final BlockingQueue<RequestListener.Answered> answered = new LinkedBlockingQueue<>();

    @Test
    void a_trace_of_the_caller_reaches_handler_and_request_log() throws Exception {
        assertThat(ask("traceparent: " + TRACEPARENT + "\r\n")).isEqualTo(TRACE_ID);
        assertThat(notes()).containsEntry("trace_id", TRACE_ID);
    }

    @Test
    void without_a_trace_there_is_none() throws Exception {
        assertThat(ask("")).isEqualTo("00000000000000000000000000000000");
        assertThat(notes()).doesNotContainKey("trace_id");
    }

    @Test
    void a_trace_that_is_none_is_ignored() throws Exception {
        assertThat(ask("traceparent: 00-xyz\r\ntracestate: \0\r\n".replace("\0", "a=b")))
                .isEqualTo("00000000000000000000000000000000");
        assertThat(notes()).doesNotContainKey("trace_id");
    }

    private Map<String, Object> notes() throws InterruptedException {
        RequestListener.Answered heard = answered.poll(20, TimeUnit.SECONDS);
        assertThat(heard).isNotNull();
        return heard.notes();
    }

    /** What the handler finds the trace to be. */
    private String ask(String headers) {
        Route route = new Route("GET", "/trace", "trace", new PlainErrorMapper(), 10, true, request -> {
            String id = Span.current().getSpanContext().getTraceId();
            return CompletableFuture.completedFuture(Response.json(200, id));
        });
        ServerOptions options = ServerOptions.DEFAULT.access(new ApiKeys(List.of()));
        try (HttpTransport transport = new HttpTransport(options, answered::add)) {
            int port = transport.listen(0, List.of(route), route, route);
            try (RawClient client = new RawClient(port)) {
                return client.send("GET /trace HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
                        .answer()
                        .body();
            }
        }
    }
}
