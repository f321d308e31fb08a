package dev.leasehold.server.http;

import static dev.leasehold.testkit.TestWaits.await;
import static dev.leasehold.testkit.TestWaits.inSeveralTries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ServerOptions.Limits;
import dev.leasehold.server.http.RawClient.Answer;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All bodies in flight share one budget, and every way out returns what was taken. */
@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class BodyBudgetTest {
    private static final int BUDGET = 200_000;
    private static final String QUEUE =
            "{\"queue_name\":\"q\",\"lease_timeout\":\"1m\",\"expire_timeout\":\"1h\",\"requested_partitions\":1}";

    private static TestServer server() {
        return new TestServer(Limits.DEFAULT.bodyBytes(BUDGET));
    }

    /** A produce of that many bytes whose last byte is missing. */
    private static String unfinished(int bytes) {
        return head(bytes) + " ".repeat(bytes - 1);
    }

    private static String head(int bytes) {
        return "POST /v1/queue.produce HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + bytes + "\r\n\r\n";
    }

    private static double used(TestServer server) {
        return server.metric("leasehold_body_bytes");
    }

    /** The page that tells it is an answer in flight itself, but it is written before it is charged. */
    private static void assertReturned(TestServer server) {
        await().until(() -> used(server) == 0);
    }

    /** A transfer of more than a second makes room for others, so the one that is in the way must be younger. */
    @Test
    void a_body_beyond_the_budget_is_refused_and_may_be_sent_again() {
        inSeveralTries(i -> bodyBeyondTheBudgetIsRefused());
    }

    private static void bodyBeyondTheBudgetIsRefused() {
        try (TestServer server = server()) {
            RawClient holder = server.connect().send(unfinished(150_000));
            await().until(() -> used(server) >= 150_000);

            try (RawClient next = server.connect()) {
                Answer answer = next.send(unfinished(100_000)).answer();
                assertThat(answer.status()).isEqualTo(454);
                assertThat(answer.head()).contains("Retry-After: 1").containsIgnoringCase("connection: close");
                assertThat(answer.body()).contains("the server is overloaded").contains("limits.body-bytes");
                assertThat(next.isHungUpOn()).isTrue();
            }
            assertThat(server.isAlive()).isTrue();

            holder.close();
            assertReturned(server);
            assertThat(server.post("/v1/queue.produce", " ".repeat(100_000)).status())
                    .isEqualTo(455);
            assertReturned(server);
        }
    }

    @Test
    void every_api_says_so_in_its_own_way() {
        inSeveralTries(i -> everyApiSaysSo());
    }

    private static void everyApiSaysSo() {
        try (TestServer server = new TestServer(Limits.DEFAULT.bodyBytes(40_000))) {
            RawClient holder = server.connect().send(unfinished(30_000));
            await().until(() -> used(server) >= 30_000);
            String padded = " ".repeat(20_000);

            Answer lock = server.post("/v1/lock.is_locked", "{\"key\": \"a\"}" + padded);
            assertThat(lock.status()).isEqualTo(503);
            assertThat(lock.head()).contains("Retry-After: 1");
            assertThat(lock.body()).contains("\"error\":\"ServiceUnavailable\"");
            Answer namespaced = server.post("/v1/space/lock/lock-1/release", "{\"instanceId\": \"abc\"}" + padded);
            assertThat(namespaced.status()).isEqualTo(503);
            assertThat(namespaced.head()).contains("Retry-After: 1");
            holder.close();
        }
    }

    @Test
    void a_body_that_could_never_fit_is_too_large() {
        try (TestServer server = server()) {
            Answer answer = server.ask(head(BUDGET + 1));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("request body exceeds 200.0kB limit");
        }
    }

    @Test
    void whoever_takes_long_makes_room_for_others() {
        try (TestServer server = server();
                RawClient slow = server.connect().send(unfinished(190_000))) {
            await().until(() -> used(server) >= 190_000);

            await().until(() ->
                    server.post("/v1/queue.produce", " ".repeat(100_000)).status() == 455);
            Answer cancelled = slow.answer();
            assertThat(cancelled.status()).isEqualTo(454);
            assertThat(slow.isHungUpOn()).isTrue();
            assertReturned(server);
        }
    }

    @Test
    void who_is_late_returns_it() {
        Limits limits = Limits.DEFAULT.bodyBytes(BUDGET).requestTime(Duration.ofSeconds(1));
        try (TestServer server = new TestServer(limits);
                RawClient late = server.connect().send(unfinished(150_000))) {
            assertThat(late.isHungUpOn()).isTrue();
            assertReturned(server);
        }
    }

    @Test
    void who_waits_for_a_lock_does_not_hold_the_budget() {
        try (TestServer server = server()) {
            server.post("/v1/lock.acquire", "{\"key\": \"held\", \"ttl\": \"10m\"}");
            List<RawClient> waiting = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waiting.add(server.connect()
                        .send(RawClient.post(
                                "/v1/lock.acquire", "{\"key\": \"held\", \"wait\": \"10m\"}" + " ".repeat(60_000))));
                int parked = i + 1;
                await().until(() -> server.metric("leasehold_lock_waiters") == parked);
            }
            assertReturned(server);
            waiting.forEach(RawClient::close);
        }
    }

    @Test
    void an_answer_that_is_not_read_is_charged_until_somebody_needs_the_room() throws Exception {
        try (TestServer server = new TestServer(Limits.DEFAULT.bodyBytes(8_000_000))) {
            server.post("/v1/queues.create", QUEUE);
            String items = ("{\"utf8\":\"" + "x".repeat(900_000) + "\"},").repeat(5);
            for (int i = 0; i < 4; i++) {
                assertThat(server.post(
                                        "/v1/queue.produce",
                                        "{\"queue_name\":\"q\",\"request_timeout\":\"10s\",\"items\":["
                                                + items.substring(0, items.length() - 1) + "]}")
                                .status())
                        .isEqualTo(200);
            }
            String lease = RawClient.post(
                    "/v1/queue.lease",
                    "{\"queue_name\":\"q\",\"client_id\":\"deaf\",\"batch_size\":6,\"request_timeout\":\"10s\"}");
            try (RawClient deaf = server.connect()) {
                deaf.socket().setReceiveBufferSize(8_192);
                deaf.send(lease);
                await().until(() -> used(server) > 5_000_000);

                await().until(() -> {
                    try (RawClient prompt = server.connect()) {
                        return prompt.send(lease.replace("deaf", "keen"))
                                        .answer()
                                        .status()
                                == 200;
                    }
                });
            }
            assertReturned(server);
        }
    }
}
