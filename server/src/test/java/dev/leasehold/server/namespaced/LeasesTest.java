package dev.leasehold.server.namespaced;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.server.OneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** LockServiceCentral's contract for a lock service, driven from outside, and a session that was captured of it. */
class LeasesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static OneServer server;

    private final String name = "lease-" + NAMES.incrementAndGet();
    private final String path = "/v1/leases/lock/" + name;

    @BeforeAll
    static void start() {
        server = new OneServer();
        server.clock().stop();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void the_captured_session() {
        String no = "{\"success\":false,\"namespace\":\"leases\",\"lockName\":\"" + name + "\"}";
        String released = "{\"success\":true,\"namespace\":\"leases\",\"lockName\":\"" + name + "\"}";

        long first = expiry(assertHeld(acquire("inst-1", 60), "inst-1", 60));
        assertThat(server.get(path).body())
                .isEqualTo("{\"namespace\":\"leases\",\"lockName\":\"" + name + "\",\"owner\":\"anonymous\",\"expiry\":"
                        + first + "}");
        assertRefused(acquire("inst-2", 60), no);
        long shortened = expiry(assertHeld(acquire("inst-1", 10), "inst-1", 10));
        assertThat(shortened).isLessThan(first);
        assertThat(expiry(assertHeld(renew("inst-1", 30), "inst-1", 40))).isEqualTo(shortened + 30);
        assertRefused(renew("inst-2", 30), no);
        assertRefused(release("inst-2"), no);
        assertThat(release("inst-1").body()).isEqualTo(released);
        assertThat(release("inst-1").body()).isEqualTo(released);
        assertThat(server.get(path).body()).isEqualTo("{\"namespace\":\"leases\",\"lockName\":\"" + name + "\"}");
    }

    @Test
    void every_answer_carries_the_captured_headers_and_no_reason_phrase() throws IOException {
        String ok = raw("GET", path, "");
        assertHeaders(ok, "HTTP/1.1 200 \r\n");
        assertHeaders(raw("GET", path + "/", ""), "HTTP/1.1 404 \r\n");
        assertHeaders(raw("GET", path + "/renew", ""), "HTTP/1.1 405 \r\n");
        assertHeaders(raw("POST", path + "/renew", "{}"), "HTTP/1.1 400 \r\n");
        assertHeaders(
                raw("POST", path + "/renew", "{\"instanceId\":\"inst-1\",\"leaseDuration\":60}"), "HTTP/1.1 423 \r\n");
        assertHeaders(raw("GET", "/actuator/health", ""), "HTTP/1.1 200 \r\n");
    }

    private static String raw(String method, String path, String body) throws IOException {
        return server.raw(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    private static void assertHeaders(String answer, String statusLine) {
        assertThat(answer).startsWith(statusLine);
        assertThat(answer.substring(0, answer.indexOf("\r\n\r\n") + 2))
                .containsIgnoringCase("X-Content-Type-Options: nosniff\r\n")
                .containsIgnoringCase("X-XSS-Protection: 0\r\n")
                .containsIgnoringCase("Cache-Control: no-cache, no-store, max-age=0, must-revalidate\r\n")
                .containsIgnoringCase("Pragma: no-cache\r\n")
                .containsIgnoringCase("Expires: 0\r\n")
                .containsIgnoringCase("X-Frame-Options: DENY\r\n")
                .containsIgnoringCase("Content-Type: application/json\r\n");
    }

    @Test
    void acquire_renew_release_in_a_row() {
        long expiry = expiry(assertHeld(acquire("inst-1", 60), "inst-1", 60));
        advance(30);
        assertThat(expiry(assertHeld(renew("inst-1", 60), "inst-1", 120))).isEqualTo(expiry + 60);
        advance(30);
        assertThat(release("inst-1").statusCode()).isEqualTo(200);
        assertFree();
    }

    @Test
    void two_locks_have_two_holders() {
        String other = path + "-other";
        assertHeld(acquire("inst-1", 60), "inst-1", 60);
        assertThat(server.post(other + "/acquire", body("inst-2", 60)).statusCode())
                .isEqualTo(200);
        assertThat(server.get(path).body()).contains("expiry");
        assertThat(server.get(other).body()).contains("expiry");
    }

    @Test
    void an_expired_lock_goes_to_another_instance() {
        assertHeld(acquire("inst-1", 60), "inst-1", 60);
        advance(100);
        assertFree();
        assertHeld(acquire("inst-2", 60), "inst-2", 60);
    }

    @Test
    void a_lock_that_lapsed_a_moment_ago_is_still_shown_and_still_held() {
        assertHeld(acquire("inst-1", 60), "inst-1", 60);
        server.clock().advance(Duration.ofMillis(60_200));
        assertThat(server.get(path).body()).contains("\"owner\":\"anonymous\"");
        assertThat(acquire("inst-2", 60).statusCode()).isEqualTo(423);
    }

    @Test
    void acquiring_again_sets_a_new_expiry() {
        long expiry = expiry(assertHeld(acquire("inst-1", 60), "inst-1", 60));
        advance(10);
        assertThat(expiry(assertHeld(acquire("inst-1", 60), "inst-1", 60))).isGreaterThanOrEqualTo(expiry + 10);
    }

    @Test
    void nothing_and_what_others_have_and_what_has_expired_cannot_be_renewed() {
        assertThat(renew("inst-1", 60).statusCode()).isEqualTo(423);
        acquire("inst-1", 60);
        assertThat(renew("inst-2", 60).statusCode()).isEqualTo(423);
        advance(100);
        assertThat(renew("inst-1", 60).statusCode()).isEqualTo(423);
    }

    @Test
    void what_is_absent_or_expired_can_be_released_by_anybody() {
        assertThat(release("inst-1").statusCode()).isEqualTo(200);
        acquire("inst-1", 60);
        assertThat(release("inst-2").statusCode()).isEqualTo(423);
        advance(100);
        assertThat(release("inst-2").statusCode()).isEqualTo(200);
    }

    @Test
    void renewing_never_reaches_further_than_a_day() {
        assertHeld(acquire("inst-1", 86_400), "inst-1", 86_400);
        HttpResponse<String> renewed = renew("inst-1", 86_400);
        assertThat(renewed.statusCode()).isEqualTo(200);
        assertThat(expiry(renewed)).isLessThanOrEqualTo(server.nowSeconds() + 86_400);
    }

    @Test
    void a_native_lock_without_a_holder_is_shown_by_its_expiry_and_refused() {
        String key = "leases:" + name;
        assertThat(server.post("/v1/lock.acquire", "{\"key\":\"" + key + "\"}").statusCode())
                .isEqualTo(200);
        assertThat(server.get(path).body()).contains("\"expiry\":").doesNotContain("owner");
        assertThat(acquire("inst-1", 60).statusCode()).isEqualTo(423);
        assertThat(release("inst-1").statusCode()).isEqualTo(423);
    }

    private HttpResponse<String> acquire(String instance, int seconds) {
        return server.post(path + "/acquire", body(instance, seconds));
    }

    private HttpResponse<String> renew(String instance, int seconds) {
        return server.post(path + "/renew", body(instance, seconds));
    }

    private HttpResponse<String> release(String instance) {
        return server.post(path + "/release", "{\"instanceId\":\"" + instance + "\"}");
    }

    private static String body(String instance, int seconds) {
        return "{\"instanceId\":\"" + instance + "\",\"leaseDuration\":" + seconds + "}";
    }

    private static void advance(int seconds) {
        server.clock().advance(Duration.ofSeconds(seconds));
    }

    private HttpResponse<String> assertHeld(HttpResponse<String> answer, String instance, int lease) {
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("{\"success\":true,\"namespace\":\"leases\",\"lockName\":\"" + name
                        + "\",\"owner\":\"anonymous\",\"instanceId\":\"" + instance + "\",\"leaseDuration\":" + lease
                        + ",\"expiry\":" + expiry(answer) + "}");
        return answer;
    }

    private static void assertRefused(HttpResponse<String> answer, String body) {
        assertThat(answer.statusCode()).isEqualTo(423);
        assertThat(answer.body()).isEqualTo(body);
    }

    private void assertFree() {
        JsonNode shown = Answers.json(server.get(path).body());
        assertThat(shown.has("owner") || shown.has("expiry")).isFalse();
    }

    private static long expiry(HttpResponse<String> answer) {
        return Answers.expiry(answer);
    }
}
