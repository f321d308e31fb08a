package dev.leasehold.server.observe;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.OneServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.namespaced.Answers;
import dev.leasehold.testkit.TestPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Pages and health over a real port. */
@Tag("slow")
class HealthCheckTest {
    private static final String BODY = "{\"instanceId\":\"inst-1\",\"leaseDuration\":60}";

    @Test
    void health_follows_the_tables_and_a_broken_store_is_never_taken_for_a_free_or_held_lock() {
        try (OneServer server = new OneServer()) {
            assertUp(server);

            server.execute("drop table syncguard_locks cascade");
            awaitStatus(server, "/actuator/health", 503);
            assertThat(server.get("/actuator/health").body()).isEqualTo("{\"status\":\"DOWN\"}");
            JsonNode health = Answers.json(server.get("/health").body());
            assertThat(health.path("status").textValue()).isEqualTo("fail");
            assertThat(health.at("/checks/locks:storage/0/output").textValue()).isEqualTo("storage check failed");
            assertThat(health.at("/checks/queues:storage/0/status").textValue()).isEqualTo("pass");
            assertUnavailable(server.get("/v1/health/lock/lock-1"));
            assertUnavailable(server.post("/v1/health/lock/lock-1/acquire", BODY));
            assertUnavailable(server.post("/v1/health/lock/lock-1/renew", BODY));
            assertUnavailable(server.post("/v1/health/lock/lock-1/release", "{\"instanceId\":\"inst-1\"}"));

            server.createSchema();
            awaitStatus(server, "/actuator/health", 200);
            assertUp(server);
        }
    }

    private static void assertUp(OneServer server) {
        HttpResponse<String> actuator = server.get("/actuator/health");
        assertThat(actuator.body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(actuator.statusCode()).isEqualTo(200);

        HttpResponse<String> health = server.get("/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.headers().firstValue("Content-Type")).contains("application/health+json");
        JsonNode body = Answers.json(health.body());
        assertThat(body.path("status").textValue()).isEqualTo("pass");
        assertThat(body.path("version").textValue()).isNotEmpty();
        assertThat(body.at("/checks/queues:storage/0/componentType").textValue())
                .isEqualTo("datastore");
        assertThat(body.at("/checks/queues:storage/0/time").textValue())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    }

    private static void assertUnavailable(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        JsonNode body = Answers.json(answer.body());
        assertThat(body.path("message").textValue()).isNotEmpty();
        assertThat(body.path("errorId").textValue()).hasSize(36);
        assertThat(answer.body()).doesNotContain("syncguard");
    }

    private static void awaitStatus(OneServer server, String path, int status) {
        await().until(() -> server.get(path).statusCode() == status);
    }

    /** As on a standby: everything can be read, and nothing written. */
    @Test
    void a_database_that_takes_no_writes_is_down_and_the_process_is_alive() throws Exception {
        PGSimpleDataSource database = TestPostgres.newSchema();
        LockSchema.create(database);
        QueueSchema.create(database);
        database.setOptions("-c default_transaction_read_only=on");
        try (LeaseholdServer server = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0),
                PostgresLocks.create(database),
                PostgresQueues.create(database))) {
            HttpResponse<String> health = get(server, "/health");
            assertThat(health.statusCode()).as(health.body()).isEqualTo(503);
            JsonNode checks = Answers.json(health.body()).path("checks");
            assertThat(checks.at("/locks:storage/0/status").textValue()).isEqualTo("fail");
            assertThat(checks.at("/queues:storage/0/status").textValue()).isEqualTo("fail");
            assertThat(get(server, "/actuator/health").body()).isEqualTo("{\"status\":\"DOWN\"}");
            assertThat(get(server, "/health/ready").statusCode()).isEqualTo(503);
            HttpResponse<String> live = get(server, "/health/live");
            assertThat(live.statusCode()).isEqualTo(200);
            assertThat(Answers.json(live.body()).path("status").textValue()).isEqualTo("pass");
        }
    }

    private static HttpResponse<String> get(LeaseholdServer server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_server_that_is_ready_says_so_and_does_not_write_to_find_out() {
        try (OneServer server = new OneServer()) {
            assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
            assertThat(server.get("/health/ready").body())
                    .isEqualTo(server.get("/health").body());
            assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(server.number("select count(*) from syncguard_locks")).isZero();
            assertThat(server.number("select count(*) from syncguard_fence_counters"))
                    .isZero();
        }
    }

    @Test
    void a_server_that_is_going_down_is_not_healthy() {
        try (MemoryLocks locks = MemoryLocks.create();
                MemoryQueues queues = MemoryQueues.create()) {
            HealthCheck health = new HealthCheck(locks, queues);
            assertThat(health.check().join().isUp()).isTrue();
            health.stopping();
            assertThat(health.check().join().isUp()).isFalse();
        }
    }

    @Test
    void locks_or_queues_that_are_closed_are_not_healthy() {
        try (MemoryLocks locks = MemoryLocks.create()) {
            MemoryQueues queues = MemoryQueues.create();
            queues.close();
            HealthCheck.State state = new HealthCheck(locks, queues).check().join();
            assertThat(state.locks()).isTrue();
            assertThat(state.queues()).isFalse();
        }
    }

    @Test
    void anybody_may_read_the_pages() {
        try (OneServer server = new OneServer()) {
            assertThat(server.get("/").body()).contains("Leasehold", "/openapi.yaml", "/health");
            assertThat(server.get("/robots.txt").body()).contains("Disallow: /");
            assertThat(server.get("/openapi.yaml").body()).startsWith("openapi: 3.0");
            assertThat(server.get("/actuator").body()).contains("/actuator/health");
            assertThat(server.send("HEAD", "/health", "").statusCode()).isEqualTo(200);
            assertThat(server.send("PUT", "/health", "").statusCode()).isEqualTo(405);
        }
    }
}
