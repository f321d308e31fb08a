package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.server.http.RawClient.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing of a body is kept for a caller who is not known: the answer is there before the body. */
@Tag("slow") // each connection is drained for two seconds before it is closed
@Execution(ExecutionMode.CONCURRENT)
class OpenRouteBodyTest {
    private static LeaseholdServer server;

    @BeforeAll
    static void start() {
        ServerOptions options = ServerOptions.DEFAULT
                .address("127.0.0.1", 0)
                .access(authorization ->
                        CompletableFuture.failedFuture(new UnauthorizedException("authentication required")));
        server = LeaseholdServer.start(options, MemoryLocks.create(), MemoryQueues.create());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /health", "GET /health/live", "GET /", "HEAD /health", "GET /nothing", "PUT /nothing"})
    void an_open_route_takes_no_body(String line) {
        assertThat(refused(line, "Content-Length: 65536").status()).isEqualTo(400);
        assertThat(refused(line, "Transfer-Encoding: chunked").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /metrics",
                "POST /v1/lock.acquire",
                "POST /v1/queue.produce",
                "POST /v1/space/lock/lock-1/acquire"
            })
    void a_caller_who_is_not_known_is_refused_before_the_body(String line) {
        assertThat(refused(line, "Content-Length: 5000").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT /v1/lock.acquire", "DELETE /v1/queue.produce", "PUT /v1/space/lock/lock-1"})
    void a_wrong_method_is_refused_before_the_body(String line) {
        assertThat(refused(line, "Content-Length: 5000").isRefusal()).isTrue();
    }

    /** The answer to a head that announces a body, of which nothing follows. */
    private static Answer refused(String line, String announced) {
        try (RawClient client = new RawClient(server.port())) {
            Answer answer = new Answer(
                    0,
                    client.send(line + " HTTP/1.1\r\nHost: localhost\r\n" + announced + "\r\n\r\n")
                            .head(),
                    "");

            assertThat(client.isHungUpOn()).isTrue();
            assertThat(answer.head()).startsWith("HTTP/1.1 ");
            return new Answer(Integer.parseInt(answer.head().split(" ", 3)[1]), answer.head(), "");
        }
    }

    @Test
    void a_body_of_no_bytes_is_none() {
        try (RawClient client = new RawClient(server.port())) {
            String health = "GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
            assertThat(client.send(health).answer().status()).isEqualTo(200);
            assertThat(client.send(health).answer().status()).isEqualTo(200);
        }
    }
}
