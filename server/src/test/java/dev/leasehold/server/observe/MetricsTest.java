package dev.leasehold.server.observe;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.ApiKeys;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.http.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final ServerOptions ANY_PORT = ServerOptions.DEFAULT.address("127.0.0.1", 0);
    private static final String QUEUE =
            "{\"queue_name\": \"depth\", \"lease_timeout\": \"1m\", \"expire_timeout\": \"1h\","
                    + " \"requested_partitions\": 1}";

    private final HttpClient client = HttpClient.newHttpClient();
    private Metrics metrics = new Metrics();
    private LeaseholdServer server = start(ANY_PORT);

    private LeaseholdServer start(ServerOptions options) {
        metrics = new Metrics();
        return LeaseholdServer.start(options, MemoryLocks.create(), MemoryQueues.create(), metrics);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> get(int port, String path) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build());
    }

    private HttpResponse<String> post(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String scrape() {
        HttpResponse<String> answer = get(server.managementPort(), "/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void requests_are_counted_by_operation_and_outcome() {
        post("/v1/lock.acquire", "{\"key\": \"m\", \"ttl\": \"60s\"}");
        post("/v1/lock.acquire", "{\"key\": \"m\"}");
        post("/v1/lock.acquire", "{}");

        assertThat(scrape())
                .contains(
                        count("lock.acquire", "success", "2xx"),
                        count("lock.acquire", "contention", "2xx"),
                        count("lock.acquire", "rejected", "4xx"),
                        "leasehold_request_seconds_bucket{operation=\"lock.acquire\",outcome=\"success\",status=\"2xx\",le=\"60.0\"} 1",
                        "http_handler_duration_count{path=\"/v1/lock.acquire\"} 3");
    }

    @Test
    void a_holder_that_finds_the_lock_in_other_hands_is_contention() {
        String us = "{\"key\": \"m\", \"owner\": \"o\", \"instance_id\": \"a\"}";
        String them = us.replace("\"a\"", "\"b\"");
        post("/v1/lock.acquire", us);
        post("/v1/lock.renew_held", them.replace("}", ", \"more\": \"1s\"}"));
        post("/v1/lock.release_held", them);
        post("/v1/lock.release_held", us);

        assertThat(scrape())
                .contains(
                        count("lock.renew_held", "contention", "2xx"),
                        count("lock.release_held", "contention", "2xx"),
                        count("lock.release_held", "success", "2xx"));
    }

    private static String count(String operation, String outcome, String status) {
        return "leasehold_request_seconds_count{operation=\"" + operation + "\",outcome=\"" + outcome + "\",status=\""
                + status + "\"} 1";
    }

    @Test
    void nothing_that_a_caller_makes_up_becomes_a_label() {
        post("/v1/made-up-path", "{}");
        post("/v1/lock.is_locked", "{\"key\": \"made-up-key\"}");
        post(
                "/v1/queue.lease",
                "{\"queue_name\": \"made-up-queue\", \"client_id\": \"c\", \"batch_size\": 1,"
                        + " \"request_timeout\": \"1s\"}");

        assertThat(scrape()).doesNotContain("made-up").contains("operation=\"unknown\"");
    }

    @Test
    void it_shows_how_queues_stand_without_asking_the_store() {
        assertThat(post("/v1/queues.create", QUEUE).statusCode()).isEqualTo(200);
        post(
                "/v1/queue.produce",
                "{\"queue_name\": \"depth\", \"request_timeout\": \"5s\","
                        + " \"items\": [{\"utf8\": \"a\"}, {\"utf8\": \"b\"}]}");

        assertThat(scrape())
                .contains(
                        "leasehold_queue_ready{queue=\"depth\"} 2.0",
                        "leasehold_queue_lease_waiters{queue=\"depth\"} 0.0",
                        "leasehold_queue_calls_active{queue=\"depth\"} 0.0");
    }

    @Test
    void it_shows_exact_depths_that_are_counted_behind_the_scrapes() {
        post("/v1/queues.create", QUEUE.replace("depth", "exact"));
        post(
                "/v1/queue.produce",
                "{\"queue_name\": \"exact\", \"request_timeout\": \"5s\","
                        + " \"items\": [{\"utf8\": \"a\"}, {\"utf8\": \"b\"}, {\"utf8\": \"c\","
                        + " \"enqueue_at\": \"2999-01-01T00:00:00Z\"}]}");
        post(
                "/v1/queue.lease",
                "{\"queue_name\": \"exact\", \"request_timeout\": \"5s\", \"batch_size\": 1, \"client_id\": \"me\"}");

        await().untilAsserted(() -> assertThat(scrape())
                .contains(
                        "leasehold_queue_items{queue=\"exact\",state=\"ready\"} 1.0",
                        "leasehold_queue_items{queue=\"exact\",state=\"leased\"} 1.0",
                        "leasehold_queue_items{queue=\"exact\",state=\"scheduled\"} 1.0",
                        "leasehold_queue_oldest_ready_seconds{queue=\"exact\"}"));
    }

    @Test
    void it_counts_items_that_are_discarded_by_queue_and_reason() {
        post("/v1/queues.create", QUEUE.replace("depth", "lossy"));
        post(
                "/v1/queue.produce",
                "{\"queue_name\": \"lossy\", \"request_timeout\": \"5s\", \"items\": [{\"utf8\": \"a\"}]}");
        assertThat(scrape()).doesNotContain("leasehold_queue_items_discarded_total{queue=\"lossy\"");
        Matcher id = Pattern.compile("\"id\": *\"([^\"]+)\"")
                .matcher(post(
                                "/v1/queue.lease",
                                "{\"queue_name\": \"lossy\", \"request_timeout\": \"5s\", \"batch_size\": 1,"
                                        + " \"client_id\": \"me\"}")
                        .body());
        assertThat(id.find()).isTrue();
        post(
                "/v1/queue.retry",
                "{\"queue_name\": \"lossy\", \"items\": [{\"id\": \"" + id.group(1) + "\", \"dead\": true}]}");

        assertThat(scrape()).contains("leasehold_queue_items_discarded_total{queue=\"lossy\",reason=\"rejected\"} 1.0");
    }

    @Test
    void it_shows_the_process_and_what_was_bound() {
        assertThat(scrape())
                .contains(
                        "jvm_memory_used_bytes",
                        "jvm_threads_live_threads",
                        "process_cpu_usage",
                        "leasehold_requests_active 1.0",
                        "leasehold_connections_open 1.0",
                        "leasehold_lock_waiters 0.0");
    }

    @Test
    void a_port_of_their_own_takes_metrics_away_from_the_others() {
        server.close();
        server = start(ANY_PORT.management(0));

        assertThat(server.managementPort()).isNotEqualTo(server.port());
        assertThat(scrape()).contains("leasehold_requests_active");
        assertThat(get(server.port(), "/metrics").statusCode()).isNotEqualTo(200);
    }

    private static final String KEY = "a-key-of-the-scraper";

    /** Access by a key with this permission in this namespace. */
    private static ServerOptions withKey(String namespace, Permission permission) {
        Grant grant = new Grant(namespace, Set.of(permission));
        return ANY_PORT.access(new ApiKeys(List.of(new ApiKeys.Key("scraper", sha256(KEY), List.of(grant)))));
    }

    private static String sha256(String key) {
        try {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> scrapeWithKey() {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                .header("Authorization", "Bearer " + KEY)
                .build());
    }

    @Test
    void with_authentication_on_metrics_need_a_credential_that_may_read_those_of_all() {
        server.close();
        server = start(withKey(Grant.ALL, Permission.METRICS_READ));
        assertThat(post("/v1/lock.is_locked", "{\"key\": \"a\"}").statusCode()).isEqualTo(401);

        HttpResponse<String> nobody = get(server.port(), "/metrics");
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.body()).isEmpty();
        assertThat(scrapeWithKey().body()).contains("operation=\"lock.is_locked\",outcome=\"denied\",status=\"4xx\"");
        assertThat(get(server.port(), "/health").statusCode()).isEqualTo(200);
    }

    @Test
    void a_credential_of_one_tenant_does_not_read_the_names_of_all_queues() {
        server.close();
        server = start(withKey("shop", Permission.METRICS_READ));
        assertThat(scrapeWithKey().statusCode()).isEqualTo(403);
        server.close();
        server = start(withKey(Grant.ALL, Permission.QUEUES_ADMIN));
        assertThat(scrapeWithKey().statusCode()).isEqualTo(403);
    }

    @Test
    void on_a_port_of_their_own_metrics_need_no_credential() {
        server.close();
        server = start(withKey(Grant.ALL, Permission.LOCKS_READ).management(0));

        assertThat(scrape()).contains("leasehold_requests_active");
    }

    @Test
    void every_metric_is_documented() throws IOException {
        post("/v1/lock.is_locked", "{\"key\": \"a\"}");
        post("/v1/queues.create", QUEUE);
        String document = Files.readString(Path.of("../docs/metrics.md"));

        Set<String> names = new TreeSet<>();
        Matcher type = Pattern.compile("(?m)^# TYPE (leasehold_\\S+|http_handler_\\S+) ")
                .matcher(scrape());
        while (type.find()) {
            names.add(type.group(1));
        }
        assertThat(names)
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(document).contains("`" + name + "`"));
    }

    @Test
    void a_crowd_that_asks_at_once_is_served_one_page() {
        Metrics metrics = new Metrics();
        List<Runnable> work = new ArrayList<>();
        List<CompletableFuture<Response>> crowd =
                Stream.generate(() -> metrics.scrape(work::add)).limit(100).toList();
        assertThat(work).hasSize(1);
        work.get(0).run();

        assertThat(crowd).allMatch(CompletableFuture::isDone);
        assertThat(crowd.stream().map(page -> page.join().body()).distinct()).hasSize(1);
        assertThat(metrics.scrape(work::add)).isNotDone();
        assertThat(work).hasSize(2);
        metrics.close();
    }

    @Test
    void a_page_that_no_worker_took_is_not_waited_for_by_the_next() {
        Metrics metrics = new Metrics();
        CompletableFuture<Response> refused = metrics.scrape(work -> {
            throw new RejectedExecutionException("full");
        });

        assertThat(refused).isCompletedExceptionally();
        assertThat(metrics.scrape(Runnable::run)).isCompleted();
        metrics.close();
    }
}
