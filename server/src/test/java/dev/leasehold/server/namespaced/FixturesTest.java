package dev.leasehold.server.namespaced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.OneServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The exchanges that LockServiceCentral publishes for its clients, bytes compared; only times and error ids are our own. */
class FixturesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String A60 = "{\"instanceId\":\"myinstanceid\",\"leaseDuration\":60}";
    private static final String A60_EXTRA = "{\"instanceId\":\"myinstanceid\",\"leaseDuration\":60,\"foo\":\"bar\"}";
    private static final String EXTRA =
            "{\"message\":\"JSON validation failed\",\"details\":[\"$: property 'foo' is not"
                    + " defined in the schema and the schema does not allow additional properties\"]}";
    private static OneServer server;

    private final String name = "mylock-" + NAMES.incrementAndGet();
    private final String path = "/v1/mynamespace/lock/" + name;
    private final String no = "{\"success\":false,\"namespace\":\"mynamespace\",\"lockName\":\"" + name + "\"}";
    private final String free = "{\"namespace\":\"mynamespace\",\"lockName\":\"" + name + "\"}";

    @BeforeAll
    static void start() {
        server = new OneServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void fixture_404() {
        assertError(server.get("/v1/mynamespace/lock"), 404, "{\"message\":\"Resource not found\",\"errorId\":\"ID\"}");
    }

    @Test
    void fixture_405() {
        assertError(server.get(path + "/acquire"), 405, "{\"message\":\"Method not allowed\",\"errorId\":\"ID\"}");
    }

    @Test
    void fixture_acquireLock() {
        long expiry = acquire60();
        assertAnswer(server.get(path), 200, held(expiry));
    }

    @Test
    void fixture_acquireLockFailed() {
        acquire60();
        server.clock().advance(Duration.ofSeconds(10));
        assertAnswer(server.post(path + "/acquire", "{\"instanceId\":\"other\",\"leaseDuration\":60}"), 423, no);
    }

    @Test
    void fixture_acquireLockInvalidSchema() {
        assertAnswer(server.post(path + "/acquire", A60_EXTRA), 400, EXTRA);
    }

    @Test
    void fixture_getInvalidLockName() {
        assertAnswer(
                server.get("/v1/mynamespace/lock/a"),
                400,
                "{\"message\":\"Validation failed\",\"details\":[\"Parameter 'lockName' failed validation: Lock name must"
                        + " be between 3 and 64 characters long\"]}");
    }

    @Test
    void fixture_getInvalidNamespace() {
        assertAnswer(
                server.get("/v1/a/lock/mylock"),
                400,
                "{\"message\":\"Validation failed\",\"details\":[\"Parameter 'namespace' failed validation: Namespace must"
                        + " be between 3 and 64 characters long\"]}");
    }

    @Test
    void fixture_getMissingLock() {
        assertAnswer(server.get(path), 200, free);
    }

    @Test
    void fixture_releaseLock() {
        assertAnswer(
                server.post(path + "/release", "{\"instanceId\":\"myinstanceid\"}"),
                200,
                "{\"success\":true,\"namespace\":\"mynamespace\",\"lockName\":\"" + name + "\"}");
    }

    @Test
    void fixture_releaseLockFailed() {
        acquire60();
        server.clock().advance(Duration.ofSeconds(10));
        assertAnswer(server.post(path + "/release", "{\"instanceId\":\"other\"}"), 423, no);
    }

    @Test
    void fixture_releaseLockInvalidSchema() {
        assertAnswer(server.post(path + "/release", "{\"instanceId\":\"myinstanceid\",\"foo\":\"bar\"}"), 400, EXTRA);
    }

    @Test
    void fixture_renewLockInvalidSchema() {
        assertAnswer(server.post(path + "/renew", A60_EXTRA), 400, EXTRA);
    }

    @Test
    void fixture_renewLockSuccess() {
        long expiry = acquire60();
        server.clock().advance(Duration.ofSeconds(10));
        assertAnswer(server.post(path + "/renew", A60), 200, granted(120, expiry + 60));
        assertAnswer(server.get(path), 200, held(expiry + 60));
    }

    @Test
    void fixture_renewMissingLock() {
        assertAnswer(server.post(path + "/renew", A60), 423, no);
    }

    /** The expiry is now plus 60 s, in whole seconds rounded down. */
    private long acquire60() {
        long before = server.nowSeconds();
        HttpResponse<String> answer = server.post(path + "/acquire", A60);
        long expiry = Answers.expiry(answer);
        assertThat(expiry).isBetween(before + 60, server.nowSeconds() + 60);
        assertAnswer(answer, 200, granted(60, expiry));
        return expiry;
    }

    private String granted(int lease, long expiry) {
        return "{\"success\":true,\"namespace\":\"mynamespace\",\"lockName\":\"" + name
                + "\",\"owner\":\"anonymous\",\"instanceId\":\"myinstanceid\",\"leaseDuration\":" + lease
                + ",\"expiry\":" + expiry + "}";
    }

    private String held(long expiry) {
        return "{\"namespace\":\"mynamespace\",\"lockName\":\"" + name + "\",\"owner\":\"anonymous\",\"expiry\":"
                + expiry + "}";
    }

    private static void assertAnswer(HttpResponse<String> answer, int status, String body) {
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }

    private static void assertError(HttpResponse<String> answer, int status, String body) {
        assertThat(Answers.withoutErrorId(answer.body())).isEqualTo(body);
        assertThat(answer.statusCode()).isEqualTo(status);
    }
}
