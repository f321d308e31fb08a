package dev.leasehold.server.http;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestWaits;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("slow")
class SlowClientTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final String HEAD =
            "POST /v1/lock.is_locked HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n";

    @Test
    void a_head_that_comes_byte_by_byte_is_hung_up_on() {
        try (TestServer server = new TestServer(TestServer.requestTime(SHORT));
                RawClient client = server.connect()) {
            trickle(client, "POST /v1/lock.is_locked HTTP/1.1\r\nX: " + "x".repeat(10_000));

            assertThat(client.isHungUpOn()).isTrue();
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void a_body_that_comes_byte_by_byte_is_hung_up_on() {
        try (TestServer server = new TestServer(TestServer.requestTime(SHORT));
                RawClient client = server.connect()) {
            trickle(client.send(HEAD), "x".repeat(1_900));

            assertThat(client.isHungUpOn()).isTrue();
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void who_says_nothing_is_hung_up_on() {
        try (TestServer server = new TestServer(TestServer.requestTime(SHORT));
                RawClient client = server.connect()) {
            assertThat(client.isHungUpOn()).isTrue();
        }
    }

    /** Sends a byte every 20 ms until all is said, or the server does not listen any more. */
    private static void trickle(RawClient client, String text) {
        int[] next = {0};
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    try {
                        client.send(text.substring(next[0], next[0] + 1));
                    } catch (UncheckedIOException e) {
                        return true;
                    }
                    next[0]++;
                    assertThat(next[0]).as("bytes taken, one by one").isLessThan(text.length());
                    return false;
                });
    }

    @Test
    void a_call_that_waits_may_take_longer_than_a_request_to_arrive() {
        TestWaits.inSeveralTries(i -> {
            try (TestServer server = new TestServer(TestServer.requestTime(SHORT));
                    RawClient client = server.connect()) {
                server.post("/v1/lock.acquire", "{\"key\": \"slow\", \"ttl\": \"60s\"}");
                RawClient.Answer answer = client.send(
                                RawClient.post("/v1/lock.acquire", "{\"key\": \"slow\", \"wait\": \"3s\"}"))
                        .answer();

                assertThat(answer.body()).isEqualTo("{\"acquired\":false,\"reason\":\"locked\"}");
            }
        });
    }

    @Test
    void a_client_that_does_not_read_is_not_served_more_than_it_takes() throws Exception {
        try (TestServer server = new TestServer();
                RawClient deaf = server.connect()) {
            deaf.socket().setReceiveBufferSize(8_192);
            Thread talker = new Thread(() -> talk(deaf));
            talker.setDaemon(true);
            talker.start();
            await().until(() -> asked(server) > 5);

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                double before = asked(server);
                assertThat(server.isAlive()).isTrue();
                return asked(server) - before < 3; // the questions of this test itself
            });
            assertThat(asked(server)).isLessThan(5_000);
        }
    }

    private static double asked(TestServer server) {
        return server.metric(
                "leasehold_request_seconds_count{operation=\"metrics\",outcome=\"success\",status=\"2xx\"}");
    }

    private static void talk(RawClient deaf) {
        try {
            for (int i = 0; i < 10_000; i++) {
                deaf.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
        } catch (UncheckedIOException e) {
            // the end of the test
        }
    }
}
