package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What callers are told while the database is away: to try again, and nothing about where it is. */
@Timeout(120)
@Tag("slow")
class OutageTest {
    private static final String TRY_AGAIN = "internal error, try your request again";
    private static final ServerOptions ANY_PORT = ServerOptions.DEFAULT.address("127.0.0.1", 0);

    private final PGSimpleDataSource direct = TestPostgres.newSchema();
    private final Proxy wire = Proxy.before(direct);

    /** Without a pool, so that every statement wants a new connection. */
    private final PGSimpleDataSource database = wire.through(direct);

    @AfterEach
    void close() {
        wire.close();
    }

    private LeaseholdServer start() {
        return LeaseholdServer.start(ANY_PORT, MemoryLocks.create(), PostgresQueues.create(database));
    }

    private static Answer produce(QueueClient client, String queue) {
        return client.post(
                "queue.produce", "queue_name", queue, "request_timeout", "5s", "items", List.of(Map.of("utf8", "a")));
    }

    @Test
    void calls_for_a_queue_that_is_not_known_yet_are_to_be_tried_again() {
        wire.down();
        try (LeaseholdServer server = start()) {
            QueueClient client = new QueueClient(server.port());
            produce(client, "q").isRefusal(454, TRY_AGAIN);
            client.leaseAsync("q", "c", 1, "1s").join().isRefusal(454, TRY_AGAIN);
            client.post("queues.list").isRefusal(454, TRY_AGAIN);
            client.post("queues.info", "queue_name", "q").isRefusal(454, TRY_AGAIN);
            client.post("queue.stats", "queue_name", "q").isRefusal(454, TRY_AGAIN);
        }
    }

    @Test
    void nothing_is_acknowledged_and_no_queue_called_empty_until_the_database_is_back() {
        QueueSchema.create(database);
        try (LeaseholdServer server = start()) {
            QueueClient client = new QueueClient(server.port());
            client.create("q");
            produce(client, "q").ok();
            wire.down();
            List<Answer> refused = List.of(
                    produce(client, "q"),
                    client.leaseAsync("q", "c", 1, "1s").join(),
                    client.complete("q", 0, List.of("2srkBa0bLEOPWzmxv9qBVuOqXYZ")),
                    client.post("storage/items.list", "queue_name", "q"),
                    client.post("queue.stats", "queue_name", "q"));
            assertThat(refused).allSatisfy(answer -> {
                assertThat(answer.status()).as(answer.text()).isEqualTo(454);
                assertThat(answer.message())
                        .isIn(TRY_AGAIN, "partition not available; partition '0' is failing, retry again");
            });
            wire.up();
            TestWaits.await()
                    .until(() -> client.post("queue.stats", "queue_name", "q").status() == 200);
            assertThat(list(client.lease("q", 10))).hasSize(1);
        }
    }

    @Test
    void a_database_without_tables_is_no_fault_of_the_caller() {
        try (LeaseholdServer server = start()) {
            QueueClient client = new QueueClient(server.port());
            produce(client, "q").isRefusal(500, "Internal Error");
            client.post("queues.list").isRefusal(500, "Internal Error");
        }
    }
}
