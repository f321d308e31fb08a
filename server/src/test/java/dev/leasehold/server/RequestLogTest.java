package dev.leasehold.server;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.server.namespaced.Answers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The line that each request leaves, as LockServiceCentral's operators know it. */
@Tag("slow")
class RequestLogTest {
    private static final BlockingQueue<String> LINES = new LinkedBlockingQueue<>();
    private static final String BODY = "{\"instanceId\":\"inst-1\",\"leaseDuration\":60}";
    private static OneServer server;

    @BeforeAll
    static void start() {
        server = new OneServer(
                options -> options.labels(Map.of("version", "1.2.3", "env", "test", "region", "here")), LINES::add);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        LINES.clear();
    }

    @Test
    void an_acquire_leaves_all_fields_in_their_order() {
        server.post("/v1/logged/lock/lock-1/acquire", BODY, "X-Request-Id", "abc-1", "User-Agent", "a".repeat(250));
        JsonNode line = line();
        assertThat(names(line))
                .containsExactly(
                        "ts_start",
                        "service",
                        "env",
                        "region",
                        "version",
                        "kind",
                        "request_id",
                        "http_method",
                        "http_target",
                        "http_user_agent",
                        "client_ip",
                        "http_route",
                        "lock_namespace",
                        "lock_name",
                        "lock_operation",
                        "auth_subject",
                        "instance_id_hash",
                        "requested_lease_duration_sec",
                        "lock_service_outcome",
                        "lock_backend",
                        "backend_duration_ms",
                        "lock_result",
                        "computed_expiry_epoch_sec",
                        "ts",
                        "duration_ms",
                        "http_status_code",
                        "outcome");
        assertFields(
                line,
                Map.of(
                        "env", "test",
                        "version", "1.2.3",
                        "request_id", "abc-1",
                        "http_target", "/v1/logged/lock/lock-1/acquire",
                        "http_user_agent", "a".repeat(200) + "...",
                        "client_ip", "127.0.0.1",
                        "http_route", "/v1/{namespace}/lock/{lockName}/acquire",
                        "lock_service_outcome", "ACQUIRED",
                        "lock_backend", "postgres",
                        "outcome", "success"));
        assertThat(line.path("instance_id_hash").textValue())
                .isEqualTo("81bf91245ce284f94340671d7a16608f13c03018243300c00e5b4832c16bdfe6");
        assertThat(line.path("requested_lease_duration_sec").intValue()).isEqualTo(60);
        assertThat(line.path("http_status_code").intValue()).isEqualTo(200);
        assertThat(line.toString()).doesNotContain("inst-1");
    }

    @Test
    void each_verb_says_how_it_ended() {
        String path = "/v1/logged/lock/verbs";
        String other = BODY.replace("inst-1", "inst-2");
        server.post(path + "/acquire", BODY);
        assertFields(line(), Map.of("lock_service_outcome", "ACQUIRED", "lock_result", "success"));
        server.post(path + "/acquire", other);
        assertFields(
                line(),
                Map.of("lock_service_outcome", "ACQUIRE_CONFLICT", "lock_result", "conflict", "outcome", "rejected"));
        server.post(path + "/renew", BODY);
        assertFields(line(), Map.of("lock_service_outcome", "RENEWED", "lock_operation", "renew"));
        server.post(path + "/renew", other);
        assertFields(line(), Map.of("lock_service_outcome", "RENEW_CONFLICT"));
        server.post(path + "/release", "{\"instanceId\":\"inst-2\"}");
        assertFields(line(), Map.of("lock_service_outcome", "RELEASE_CONFLICT"));
        server.get(path);
        assertFields(line(), Map.of("lock_operation", "get", "lock_result", "success"));
        server.post(path + "/release", "{\"instanceId\":\"inst-1\"}");
        assertFields(line(), Map.of("lock_service_outcome", "RELEASED", "lock_result", "success"));
        server.post(path + "/release", "{\"instanceId\":\"inst-1\"}");
        assertFields(line(), Map.of("lock_service_outcome", "RELEASED_NOT_FOUND", "lock_result", "success"));
        server.get(path);
        assertFields(line(), Map.of("lock_result", "not_found", "outcome", "success"));
    }

    @Test
    void errors_say_what_they_are() {
        server.post("/v1/logged/lock/lock-1/acquire", "{}");
        assertFields(line(), Map.of("error_type", "validation_error", "outcome", "failure"));

        String answer = server.get("/nowhere").body();
        JsonNode unknown = line();
        assertThat(unknown.path("error_id").textValue())
                .isEqualTo(Answers.json(answer).path("errorId").textValue());
        assertThat(unknown.path("http_status_code").intValue()).isEqualTo(404);

        server.get("/v1/logged/lock/lock-1", "Authorization", "Basic x");
        assertThat(line().path("http_status_code").intValue()).isEqualTo(401);
    }

    @Test
    void a_store_that_fails_is_an_error_of_the_verb_with_the_id_that_the_caller_got() {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (OneServer broken = new OneServer(options -> options, lines::add)) {
            broken.execute("drop table syncguard_locks cascade");
            String answer = broken.post("/v1/logged/lock/lock-1/acquire", BODY).body();
            await().until(() -> !lines.isEmpty());
            JsonNode line = Answers.json(lines.remove());
            assertFields(line, Map.of("lock_service_outcome", "ACQUIRE_ERROR", "outcome", "failure"));
            assertThat(line.has("lock_result")).isFalse();
            assertThat(line.path("error_id").textValue())
                    .isEqualTo(Answers.json(answer).path("errorId").textValue());
        }
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CR LF
    void nobody_can_write_a_line_of_their_own() throws IOException {
        server.raw("GET /v1/log\"%0Aged/lock/{\"a\":1} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "X-Request-Id: a\",\"outcome\":\"success\r\nUser-Agent: b\"\\\tc\u2028\r\n\r\n");
        String text = text();
        assertThat(text).doesNotContain("\n", "\r");
        JsonNode line = Answers.json(text);
        assertThat(line.path("outcome").textValue()).isEqualTo("failure");
        assertThat(line.path("request_id").textValue()).startsWith("req_").hasSize(40);
    }

    @Test
    void other_doors_leave_a_short_line_without_keys_and_pages_leave_none() {
        server.get("/actuator/health");
        server.post("/v1/lock.acquire", "{\"key\":\"logged:secret\"}");
        JsonNode line = line();
        assertFields(line, Map.of("operation", "lock.acquire", "outcome", "success"));
        assertThat(line.toString()).doesNotContain("secret");
        assertThat(line.has("duration_ms")).isTrue();
    }

    @Test
    void the_native_door_says_how_each_verb_ended_although_the_status_does_not() {
        String us = "{\"key\":\"logged:native\",\"owner\":\"o\",\"instance_id\":\"a\"}";
        String them = us.replace("\"a\"", "\"b\"");
        assertResult("acquire", us, "success");
        assertResult("acquire", them, "conflict");
        assertResult("renew_held", them.replace("}", ",\"more\":\"1s\"}"), "conflict");
        assertResult("release_held", them, "conflict");
        assertResult("release_held", us, "success");
        assertResult("release_held", us, "not_found");
        assertResult("release", "{\"lock_id\":\"AAAAAAAAAAAAAAAAAAAAAA\"}", "not_found");
        assertResult("extend", "{\"lock_id\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"ttl\":\"1s\"}", "not_found");
    }

    private static void assertResult(String verb, String body, String result) {
        server.post("/v1/lock." + verb, body);
        JsonNode line = line();
        assertFields(line, Map.of("operation", "lock." + verb, "lock_result", result, "outcome", "success"));
        assertThat(line.toString()).doesNotContain("native", "AAAA");
    }

    @Test
    void who_is_forwarded_by_a_neighbour_is_named() {
        server.get("/v1/logged/lock/lock-1", "X-Forwarded-For", "203.0.113.9, 10.0.0.1");
        assertFields(line(), Map.of("client_ip", "203.0.113.9"));
        server.get("/v1/logged/lock/lock-1", "X-Forwarded-For", "evil \"name");
        assertFields(line(), Map.of("client_ip", "127.0.0.1"));
    }

    private static String text() {
        await().until(() -> !LINES.isEmpty());
        return LINES.remove();
    }

    private static JsonNode line() {
        return Answers.json(text());
    }

    private static List<String> names(JsonNode line) {
        List<String> names = new ArrayList<>();
        line.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void assertFields(JsonNode line, Map<String, String> fields) {
        fields.forEach(
                (name, value) -> assertThat(line.path(name).asText()).as(name).isEqualTo(value));
    }
}
