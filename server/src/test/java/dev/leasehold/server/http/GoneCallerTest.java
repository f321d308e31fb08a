package dev.leasehold.server.http;

import static dev.leasehold.testkit.TestWaits.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.lock.LockEndpoints;
import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done for a caller who has left is undone. */
class GoneCallerTest {
    @Test
    void an_answer_that_nobody_takes_is_undone() throws Exception {
        CompletableFuture<Request> asked = new CompletableFuture<>();
        CompletableFuture<Response> answer = new CompletableFuture<>();
        AtomicInteger undone = new AtomicInteger();
        CompletableFuture<Integer> status = new CompletableFuture<>();
        Route route = new Route("GET", "/", "root", new PlainErrorMapper(), 0, true, request -> {
            asked.complete(request);
            return answer;
        });
        try (HttpTransport transport =
                new HttpTransport(ServerOptions.DEFAULT, answered -> status.complete(answered.status()))) {
            RawClient client = new RawClient(transport.listen(0, List.of(route), route, route));
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Request request = TestWaits.get(asked);

            client.close();
            request.gone().get(20, TimeUnit.SECONDS);
            answer.complete(Response.empty(200).undo(undone::incrementAndGet));

            await().untilAtomic(undone, org.hamcrest.Matchers.is(1));
            assertThat(status).isCompletedWithValue(499);
        }
    }

    @Test
    void an_answer_that_is_taken_is_not_undone() throws Exception {
        AtomicInteger undone = new AtomicInteger();
        Route route = new Route(
                "GET",
                "/",
                "root",
                new PlainErrorMapper(),
                0,
                true,
                request -> CompletableFuture.completedFuture(Response.empty(200).undo(undone::incrementAndGet)));
        try (HttpTransport transport = new HttpTransport(ServerOptions.DEFAULT, answered -> {})) {
            try (RawClient client = new RawClient(transport.listen(0, List.of(route), route, route))) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .answer()
                                .status())
                        .isEqualTo(200);
            }
        }
        assertThat(undone).hasValue(0);
    }

    @Test
    void a_grant_that_nobody_takes_is_given_back() throws Exception {
        try (MemoryLocks locks = MemoryLocks.create(LockOptions.DEFAULT)) {
            byte[] body = "{\"key\": \"crossed\", \"ttl\": \"10m\"}".getBytes(StandardCharsets.UTF_8);
            Request request = new Request(
                    "POST",
                    "/v1/lock.acquire",
                    List.of(),
                    header -> header.equals("Content-Type") ? "application/json" : null,
                    body,
                    Principal.ANONYMOUS,
                    new HashMap<>(),
                    new CompletableFuture<>());

            Response granted = new LockEndpoints(locks).acquire(request).get(20, TimeUnit.SECONDS);
            assertThat(locks.isLocked("crossed")).isTrue();
            requireNonNull(granted.undo()).run();

            await().until(() -> !locks.isLocked("crossed"));
        }
    }
}
