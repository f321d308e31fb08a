package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.http.RawClient.Answer;
import java.io.UncheckedIOException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes, the server says what is wrong with it, or hangs up, and serves the next one. */
class MalformedRequestTest {
    private static final String NO_TYPE = "POST /v1/lock.acquire HTTP/1.1\r\nHost: localhost\r\n";
    private static final String ACQUIRE = NO_TYPE + "Content-Type: application/json\r\n";
    private static final String BODY = "{\"key\": \"a\"}";
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void the_next_one_is_served() {
        assertThat(server.isAlive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: -1",
                "Content-Length: 99999999999999999999",
                "Content-Length: ten",
                "Content-Length: 1\r\nContent-Length: 2",
                "Content-Length: 1, 2",
                "Content-Length: 12\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 12",
                "Transfer-Encoding: gzip, identity",
                "Transfer-Encoding: xchunked\r\nContent-Length: 12",
                "Transfer-Encoding : chunked",
                "No colon here",
                "Sp ace: x",
                "Nul: \0",
                "Host: localhost\r\nContent-Length: 12",
                "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nContent-Length: 12",
                "Authorization: Bearer a\r\nauthorization: Bearer a\r\nContent-Length: 12",
            })
    void a_header_that_may_mean_two_things_is_refused(String header) {
        try (RawClient client = server.connect()) {
            Answer answer = client.send(ACQUIRE + header + "\r\n\r\n" + BODY).answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(client.isHungUpOn()).isTrue();
        }
    }

    @Test
    void a_request_that_names_no_host_is_refused() {
        Answer answer = server.ask("POST /v1/lock.acquire HTTP/1.1\r\nContent-Length: 12\r\n\r\n" + BODY);

        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void a_lock_call_says_what_its_body_is() {
        Answer answer = server.ask(NO_TYPE + "Content-Length: 12\r\n\r\n" + BODY);

        assertThat(answer.status()).isEqualTo(455);
        assertThat(answer.body()).contains("Content-Type").contains("\"error\":\"InvalidArgument\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "-1\r\n", "ffffffffffffffff\r\n", "5\r\nab", "\0\0\0\0\r\n"})
    void chunks_that_are_none_are_refused(String chunks) throws Exception {
        try (RawClient client = server.connect()) {
            client.send(ACQUIRE + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
            client.socket().shutdownOutput();

            assertThat(client.answer().status()).isIn(0, 400);
        }
    }

    @Test
    void a_body_in_chunks_is_read() {
        Answer answer =
                server.ask(ACQUIRE + "Transfer-Encoding: chunked\r\n\r\n6\r\n{\"key\"\r\n5\r\n:\"c\"}\r\n0\r\n\r\n");

        assertThat(answer.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/../metrics",
                "//v1/lock.acquire",
                "/v1//lock.acquire",
                "/v1/%2e%2e/metrics",
                "/v1/lock%2Eacquire",
                "/v1/lock.acquire/",
                "/v1/lock.acquire%00",
                "/V1/LOCK.ACQUIRE",
                "/v1/lock.acquire;x=1",
                "/v1",
                "/",
                "/health",
                "/metrics",
                "*",
            })
    void a_path_that_is_nearly_one_is_nobodys(String path) {
        Answer answer = server.post(path, BODY);

        assertThat(answer.status()).isEqualTo(501);
        assertThat(answer.body()).contains("no such method; ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/lock.acquire\0", "/v1/lock acquire", "", "/v1/\u0001"})
    void a_line_that_is_no_request_line_is_refused(String path) {
        Answer answer = server.post(path, BODY);

        assertThat(answer.status()).isIn(400, 501);
    }

    @Test
    void a_query_or_an_absolute_address_does_not_change_the_path() {
        assertThat(server.post("/v1/lock.is_locked?x=/../metrics", BODY).status())
                .isEqualTo(200);
        assertThat(server.post("http://else.example/v1/lock.is_locked", BODY).status())
                .isIn(200, 501);
    }

    @ParameterizedTest
    @ValueSource(ints = {8_000, 16_000, 20_000, 1_000_000})
    void a_long_path_is_refused(int length) {
        try (RawClient client = server.connect()) {
            assertThat(sent(client, RawClient.post("/v1/" + "a".repeat(length), BODY))
                            .status())
                    .isIn(0, 400, 414, 501);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20_000, 2_000_000})
    void a_head_that_is_too_big_is_refused(int length) {
        try (RawClient client = server.connect()) {
            assertThat(sent(client, ACQUIRE + "X: " + "a".repeat(length) + "\r\n\r\n")
                            .status())
                    .isIn(0, 400, 431);
        }
    }

    @Test
    void headers_without_end_are_refused() {
        try (RawClient client = server.connect()) {
            assertThat(sent(client, ACQUIRE + "X: a\r\n".repeat(100_000) + "\r\n")
                            .status())
                    .isIn(0, 400, 431);
        }
    }

    /** The server may hang up while we still speak. */
    private static Answer sent(RawClient client, String request) {
        try {
            return client.send(request).answer();
        } catch (UncheckedIOException e) {
            return new Answer(0, "", "");
        }
    }

    @Test
    void a_body_that_is_too_big_is_refused_before_it_has_all_come() {
        try (RawClient client = server.connect()) {
            Answer answer = client.send(ACQUIRE + "Content-Length: 1000000000\r\n\r\n" + "x".repeat(70_000))
                    .answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("request body exceeds 64.0KiB limit");
            assertThat(client.isHungUpOn()).isTrue();
        }
    }

    @Test
    void chunks_without_end_are_refused() {
        try (RawClient client = server.connect()) {
            String chunk = "1000\r\n" + "x".repeat(4096) + "\r\n";
            Answer answer = client.send(ACQUIRE + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(17))
                    .answer();

            assertThat(answer.status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "multipart/form-data", "application/jsonx", "\u0001"})
    void a_content_type_that_is_not_spoken_is_refused(String type) {
        Answer answer = server.ask(NO_TYPE + "Content-Type: " + type + "\r\nContent-Length: 12\r\n\r\n" + BODY);

        assertThat(answer.status()).isIn(400, 455);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "{\"key\": }", "\0\0\0", "{\"key\": \"a\"} x", "{\"key\": {}}"})
    void a_body_that_is_no_json_object_is_refused(String body) {
        assertThat(server.post("/v1/lock.acquire", body).status()).isIn(400, 455);
    }

    @Test
    void json_as_deep_as_a_well_is_refused() {
        assertThat(server.post("/v1/lock.acquire", "{\"key\":" + "[".repeat(60_000))
                        .status())
                .isIn(400, 455);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "BREW", "post"})
    void another_method_is_refused(String method) {
        try (RawClient client = server.connect()) {
            client.send(method + " /v1/lock.acquire HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");

            assertThat(client.head()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void nobody_is_connected_to_elsewhere() {
        assertThat(server.ask("CONNECT else.example:443 HTTP/1.1\r\nHost: else.example:443\r\n\r\n")
                        .status())
                .isBetween(400, 501);
    }

    @Test
    void requests_in_a_row_are_answered_in_their_order() {
        try (RawClient client = server.connect()) {
            client.send(RawClient.post("/v1/lock.is_locked", "{\"key\": \"p\"}")
                    + RawClient.post("/v1/nothing", "{}")
                    + RawClient.post("/v1/lock.is_locked", "{")
                    + RawClient.post("/v1/lock.is_locked", "{\"key\": \"p\"}"));

            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(client.answer().status()).isEqualTo(501);
            assertThat(client.answer().status()).isEqualTo(455);
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void a_connection_has_only_so_many_requests_that_are_not_answered() {
        String ask = RawClient.post("/v1/lock.is_locked", "{\"key\": \"p\"}");
        try (RawClient client = server.connect()) {
            client.send(ask.repeat(PipelineLimit.MOST));
            for (int i = 0; i < PipelineLimit.MOST; i++) {
                assertThat(client.answer().status()).isEqualTo(200);
            }
            sent(client, "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_000));

            assertThat(client.isHungUpOn()).isTrue();
        }
    }

    @Test
    void old_clients_are_answered_and_hung_up_on() {
        try (RawClient client = server.connect()) {
            Answer answer = client.send(
                            "POST /v1/lock.is_locked HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n"
                                    + BODY)
                    .answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(client.isHungUpOn()).isTrue();
        }
    }

    @Test
    void a_client_that_asks_whether_to_go_on_is_told_to() {
        try (RawClient client = server.connect()) {
            client.send(
                    "POST /v1/lock.is_locked HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n");

            assertThat(client.answer().status()).isEqualTo(100);
            assertThat(client.send(BODY).answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "GET / HTP/1.1\r\n\r\n",
                "GET\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n",
            })
    void what_is_not_http_is_refused(String bytes) throws Exception {
        try (RawClient client = server.connect()) {
            client.send(bytes);
            client.socket().shutdownOutput();

            assertThat(client.answer().status()).isIn(0, 400, 404, 501);
        }
    }

    @Test
    void random_bytes_do_no_harm() throws Exception {
        Random random = new Random(20_261_116);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(bytes);
            try (RawClient client = server.connect()) {
                client.send(i % 2 == 0 ? "" : ACQUIRE.substring(0, random.nextInt(ACQUIRE.length())));
                client.send(bytes);
            } catch (UncheckedIOException e) {
                // it was hung up on already
            }
        }
    }
}
