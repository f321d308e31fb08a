package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Shared by the tests of the Querator API: a server on a real port over one of the engines, a client, and words for the usual
 * steps. Each test uses queues of its own; time goes forward for all of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class QueueEndpointsTests {
    /** What an item that is not leased has for a lease deadline. */
    static final String NO_TIME = "0001-01-01T00:00:00Z";

    static final Duration LEASE = Duration.ofMinutes(1);

    private QueueFixture nodes;
    private LeaseholdServer server;
    QueueClient client;

    abstract QueueFixture newNodes();

    ServerOptions options() {
        return ServerOptions.DEFAULT.address("127.0.0.1", 0);
    }

    @BeforeAll
    void open() {
        nodes = newNodes();
        start();
    }

    @AfterAll
    void close() {
        server.close();
        nodes.close();
    }

    private void start() {
        server = LeaseholdServer.start(options(), MemoryLocks.create(), nodes.node());
        client = new QueueClient(server.port());
    }

    /** Ends the server, and begins a new one on the same store. */
    void restart() {
        server.close();
        start();
    }

    LeaseholdServer server() {
        return server;
    }

    static String newName() {
        return "queue-" + UUID.randomUUID();
    }

    String newQueue(Object... namesAndValues) {
        String name = newName();
        client.create(name, namesAndValues);
        return name;
    }

    Instant now() {
        return Instant.ofEpochMilli(nodes.clock().getAsLong());
    }

    /** Lets more than this time go by, for the store. */
    void outlive(Duration time) {
        nodes.clock().advance(time.plusSeconds(1));
    }

    static void await(Callable<Boolean> condition) {
        TestWaits.await().until(condition);
    }

    void awaitWaiting(String queue, int count) {
        await(() -> client.stats(queue).path("lease_waiting").asInt() == count);
    }

    /** Waits until nothing in the queue is leased; gives what is there. */
    List<JsonNode> awaitNoneLeased(String queue) {
        await(() -> leasedIn(queue, 0) == 0);
        return client.items(queue);
    }

    void awaitEmpty(String queue) {
        await(() -> client.items(queue).isEmpty());
    }

    /** Leases one item and lets its lease end; gives the id that it had. */
    String lapse(String queue) {
        String id = leaseOne(queue).path("id").asText();
        outlive(LEASE);
        return id;
    }

    JsonNode leaseOne(String queue) {
        return QueueClient.list(client.lease(queue, 1)).get(0);
    }

    long leasedIn(String queue, int partition) {
        return client.items(queue, partition).stream()
                .filter(item -> item.path("is_leased").asBoolean())
                .count();
    }

    void assertNothingToLease(String queue) {
        client.leaseAsync(queue, "client", 1, "100ms")
                .join()
                .isRefusal(454, "request timeout; no items are in the queue, try again");
    }

    static List<String> texts(List<JsonNode> items) {
        return items.stream().map(QueueEndpointsTests::text).toList();
    }

    /** The payload, whether it comes from a lease or from the store. */
    static String text(JsonNode item) {
        String base64 = item.path(item.has("bytes") ? "bytes" : "payload").asText();
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    static Instant moment(JsonNode item, String field) {
        return Instant.parse(item.path(field).asText());
    }

    static List<Integer> range(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    static void assertNear(Instant moment, Instant expected) {
        assertThat(Duration.between(expected, moment).abs()).isLessThan(Duration.ofSeconds(20));
    }
}
