package dev.leasehold.server.namespaced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.OneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was seen of LockServiceCentral at the edges, row by row. */
class EdgeCasesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String GOOD = "{\"instanceId\":\"inst-1\",\"leaseDuration\":60}";
    private static OneServer server;

    private final String path = "/v1/edges/lock/edge-" + NAMES.incrementAndGet();

    @BeforeAll
    static void start() {
        server = new OneServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"ab\" | 60 | $.instanceId: must be at least 3 characters long",
                "\"a b!\" | 60 | $.instanceId: does not match the regex pattern ^[a-zA-Z0-9_-]+$",
                "\"abc\\n\" | 60 | $.instanceId: does not match the regex pattern ^[a-zA-Z0-9_-]+$",
                "\"a\\ud800b\" | 60 | $.instanceId: does not match the regex pattern ^[a-zA-Z0-9_-]+$",
                "null | 60 | $.instanceId: null found, string expected",
                "7 | 60 | $.instanceId: integer found, string expected",
                "7.5 | 60 | $.instanceId: number found, string expected",
                "true | 60 | $.instanceId: boolean found, string expected",
                "{} | 60 | $.instanceId: object found, string expected",
                "\"inst-1\" | 0 | $.leaseDuration: must have a minimum value of 1",
                "\"inst-1\" | -5 | $.leaseDuration: must have a minimum value of 1",
                "\"inst-1\" | 86401 | $.leaseDuration: must have a maximum value of 86400",
                "\"inst-1\" | 99999999999999999999999 | $.leaseDuration: must have a maximum value of 86400",
                "\"inst-1\" | 1e999 | $.leaseDuration: must have a maximum value of 86400",
                "\"inst-1\" | 1.5 | $.leaseDuration: number found, integer expected",
                "\"inst-1\" | \"60\" | $.leaseDuration: string found, integer expected",
                "\"inst-1\" | null | $.leaseDuration: null found, integer expected",
                "\"inst-1\" | [] | $.leaseDuration: array found, integer expected",
            })
    void a_wrong_value_is_named(String instanceId, String lease, String detail) {
        assertBodyRefused("{\"instanceId\":" + instanceId + ",\"leaseDuration\":" + lease + "}", detail);
    }

    @Test
    void an_instance_id_may_have_64_characters_and_no_more() {
        String most = "x".repeat(64);
        assertThat(acquire("{\"instanceId\":\"" + most + "\",\"leaseDuration\":60}")
                        .statusCode())
                .isEqualTo(200);
        assertBodyRefused(
                "{\"instanceId\":\"" + most + "x\",\"leaseDuration\":60}",
                "$.instanceId: must be at most 64 characters long");
    }

    @ParameterizedTest
    @CsvSource({"1.0, 1", "1, 1", "86400, 86400", "6e1, 60"})
    void a_whole_number_is_a_lease_however_it_is_written(String lease, long seconds) {
        HttpResponse<String> answer = acquire("{\"instanceId\":\"inst-1\",\"leaseDuration\":" + lease + "}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Answers.json(answer.body()).path("leaseDuration").longValue())
                .isEqualTo(seconds);
    }

    @Test
    void a_key_whose_fences_are_used_up_says_so() {
        String key = path.replace("/v1/", "").replace("/lock/", ":");
        server.execute("insert into syncguard_fence_counters (fence_key, fence, key_debug) values ('fence:" + key
                + "', 900000000000000, '" + key + "')");
        HttpResponse<String> answer = acquire(GOOD);
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(Answers.json(answer.body()).path("message").textValue())
                .startsWith("Fence counter overflow")
                .endsWith("use another key");
    }

    @Test
    void all_that_is_missing_is_named() {
        assertBodyRefused(
                "{}", "$: required property 'instanceId' not found", "$: required property 'leaseDuration' not found");
    }

    @ParameterizedTest
    @CsvSource({"[], array", "null, null", "'', unknown", "7, integer", "\"x\", string"})
    void only_an_object_is_a_body(String body, String found) {
        assertBodyRefused(body, "$: " + found + " found, object expected");
    }

    @Test
    void what_is_no_json_is_told_in_the_words_of_the_parser() {
        assertBodyRefused(
                "{bad", "Unexpected character ('b' (code 98)): was expecting double-quote to start field name");
        HttpResponse<String> cut = acquire("{\"instanceId\":\"inst-1\"");
        assertThat(cut.statusCode()).isEqualTo(400);
        assertThat(Answers.details(cut))
                .singleElement()
                .asString()
                .matches(
                        "Unexpected end-of-input: expected close marker for Object \\(start marker at \\[Source: REDACTED .*;"
                                + " line: 1, column: 1\\]\\)");
    }

    @Test
    void what_is_no_json_is_not_repeated() {
        HttpResponse<String> answer = acquire("{\"instanceId\":hunter2}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("Unrecognized token").doesNotContain("hunter2");
    }

    @Test
    void text_after_the_object_is_ignored() {
        assertThat(acquire(GOOD + " and more {").statusCode()).isEqualTo(200);
    }

    @Test
    void of_a_property_that_comes_twice_the_last_one_counts() {
        HttpResponse<String> answer =
                acquire("{\"instanceId\":\"first\",\"leaseDuration\":60,\"instanceId\":\"second\"}");
        assertThat(Answers.json(answer.body()).path("instanceId").textValue()).isEqualTo("second");
    }

    @Test
    void properties_that_nobody_knows_are_named_in_their_order() {
        assertBodyRefused(
                "{\"zoo\":1,\"instanceId\":\"inst-1\",\"leaseDuration\":60,\"bar\":2}",
                "$: property 'zoo' is not defined in the schema and the schema does not allow additional properties",
                "$: property 'bar' is not defined in the schema and the schema does not allow additional properties");
    }

    @Test
    void a_release_knows_no_lease() {
        HttpResponse<String> answer = server.post(path + "/release", GOOD);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Answers.details(answer))
                .containsExactly("$: property 'leaseDuration' is not defined in the schema and the schema does not"
                        + " allow additional properties");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "nonsense"})
    void the_content_type_does_not_matter(String type) {
        assertThat(server.post(path + "/acquire", GOOD, "Content-Type", type).statusCode())
                .isEqualTo(200);
    }

    @Test
    void who_takes_no_json_is_refused_before_anything_happens() {
        HttpResponse<String> answer = server.post(path + "/acquire", GOOD, "Accept", "application/xml");
        assertThat(answer.statusCode()).isEqualTo(406);
        assertThat(answer.body()).isEmpty();
        assertThat(server.get(path).body()).doesNotContain("owner");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/*", "text/html, application/json;q=0.9", "Application/JSON"})
    void who_takes_json_is_served(String accept) {
        assertThat(server.get(path, "Accept", accept).statusCode()).isEqualTo(200);
    }

    @Test
    void of_a_bad_path_and_a_bad_body_the_body_is_told() {
        HttpResponse<String> answer = server.post("/v1/edges/lock/a/acquire", "{}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).startsWith("{\"message\":\"JSON validation failed\"");
        assertThat(server.post("/v1/edges/lock/a/acquire", GOOD).body())
                .startsWith("{\"message\":\"Validation failed\"");
    }

    @Test
    void a_short_name_with_a_strange_character_has_two_faults() {
        HttpResponse<String> answer = server.get("/v1/edges/lock/a!");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Answers.details(answer))
                .containsExactlyInAnyOrder(
                        "Parameter 'lockName' failed validation: Lock name must be between 3 and 64 characters long",
                        "Parameter 'lockName' failed validation: Lock name must be alphanumeric with dashes and"
                                + " underscores only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed%20ges", "ed%2Fges", "ed:ges", "ed%3Ages", "ed%00ges", "ed%zzges", "%C3%A9dges"})
    void a_namespace_is_plain(String namespace) throws IOException {
        String answer = server.raw(
                "GET /v1/" + namespace + "/lock/lock-1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("Namespace must be alphanumeric with dashes and underscores only");
    }

    @Test
    void a_plain_character_may_be_escaped() {
        assertThat(server.get("/v1/%65dges/lock/lock%2D1").body())
                .isEqualTo("{\"namespace\":\"edges\",\"lockName\":\"lock-1\"}");
    }

    @Test
    void names_may_have_64_characters_and_no_more() {
        assertThat(server.get("/v1/" + "n".repeat(64) + "/lock/" + "l".repeat(64))
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.get("/v1/" + "n".repeat(65) + "/lock/" + "l".repeat(65))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void a_trailing_slash_makes_another_path() {
        assertNotFound(server.get(path + "/"));
        assertNotFound(server.post(path + "/acquire/", GOOD));
        assertNotFound(server.get("/v1/edges/lock/"));
        assertNotFound(server.get("/actuator/info"));
        assertNotFound(server.send("DELETE", "/nowhere", ""));
    }

    private static void assertNotFound(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(Answers.withoutErrorId(answer.body()))
                .isEqualTo("{\"message\":\"Resource not found\",\"errorId\":\"ID\"}");
    }

    @ParameterizedTest
    @CsvSource({"PUT, ''", "DELETE, ''", "PATCH, /renew", "GET, /release", "HEAD, /acquire", "POST, ''"})
    void a_wrong_method_is_405(String method, String verb) {
        assertThat(server.send(method, path + verb, "").statusCode()).isEqualTo(405);
    }

    @Test
    void a_lock_can_be_asked_for_its_head_and_its_options() {
        HttpResponse<String> head = server.send("HEAD", path, "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();

        HttpResponse<String> options = server.send("OPTIONS", path, "");
        assertThat(options.statusCode()).isEqualTo(200);
        assertThat(options.headers().firstValue("Allow")).contains("GET,HEAD,OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/acquire", "/renew", "/release"})
    void an_operation_can_be_asked_for_its_options(String operation) {
        HttpResponse<String> options = server.send("OPTIONS", path + operation, "");
        assertThat(options.statusCode()).isEqualTo(200);
        assertThat(options.headers().firstValue("Allow")).contains("POST,OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "?x=1", "//", "nonsense", "http://x/nowhere", "/v1//lock/", "/%", "/v1/../v1/a/lock"})
    void a_strange_target_is_answered_with_a_refusal(String target) throws IOException {
        assertThat(server.raw("OPTIONS " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .matches("(?s)HTTP/1.1 4\\d\\d .*");
    }

    @Test
    void the_queue_door_keeps_its_directory() {
        assertThat(server.post("/v1/storage/lock/lock-1/acquire", GOOD).statusCode())
                .isEqualTo(501);
    }

    @Test
    void a_body_that_is_too_big_is_refused() {
        HttpResponse<String> answer = acquire(" ".repeat(65_537));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Answers.details(answer)).containsExactly("request body exceeds 64.0KiB limit");
    }

    @Test
    void deep_nesting_is_refused() {
        assertThat(acquire("{\"instanceId\":" + "[".repeat(20_000)).statusCode())
                .isEqualTo(400);
    }

    private HttpResponse<String> acquire(String body) {
        return server.post(path + "/acquire", body);
    }

    private void assertBodyRefused(String body, String... details) {
        for (String verb : new String[] {"/acquire", "/renew"}) {
            HttpResponse<String> answer = server.post(path + verb, body);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(Answers.json(answer.body()).path("message").textValue()).isEqualTo("JSON validation failed");
            assertThat(Answers.details(answer)).containsExactly(details);
        }
    }
}
