package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.PgBouncer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Queues work through a transaction pooler with fewer connections than clients. Needs pgbouncer to be installed. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class QueuePgBouncerTest {
    private static PgBouncer bouncer;
    private static PGSimpleDataSource direct;

    @BeforeAll
    static void start() {
        assumeTrue(PgBouncer.isInstalled(), "pgbouncer is not installed");
        direct = TestPostgres.newSchema();
        QueueSchema.create(direct);
        bouncer = PgBouncer.before(direct);
    }

    @AfterAll
    static void stop() {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    private static LeaseRequest request(String client, Duration timeout) {
        return LeaseRequest.of(client, 5).timeout(timeout);
    }

    @Test
    void many_nodes_share_two_connections_and_every_item_is_completed_once() {
        workOn(bouncer.pooled(), "pooled");
    }

    /** Its transactions need an isolation level that does not fail them, whatever the role has as its default. */
    @Test
    void a_role_whose_default_is_serializable_notices_nothing() {
        PGSimpleDataSource role = Db.asRoleWith(direct, "default_transaction_isolation = serializable");
        try (PgBouncer strict = PgBouncer.before(role)) {
            workOn(strict.pooled(), "strict");
        }
    }

    /** Four nodes, eight clients, one queue. */
    static void workOn(DataSource dataSource, String name) {
        List<PostgresQueues> nodes = new ArrayList<>();
        IntStream.range(0, 4).forEach(i -> nodes.add(PostgresQueues.create(dataSource)));
        nodes.get(0).create(QueueConfig.named(name).partitions(2));
        Set<String> completed = ConcurrentHashMap.newKeySet();
        try {
            List<CompletableFuture<Void>> work = IntStream.range(0, 8)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> work(nodes.get(i % 4).queue(name), "client" + i, completed)))
                    .toList();
            work.forEach(one -> one.join());
            assertThat(completed).hasSize(160);
            assertThat(nodes.get(0).queue(name).stats().partitions())
                    .allSatisfy(partition -> assertThat(partition.total()).isZero());
        } finally {
            nodes.forEach(PostgresQueues::close);
        }
    }

    /** Produces its share, and completes about as much, every item at its second turn. */
    private static void work(ItemQueue queue, String name, Set<String> completed) {
        for (int round = 0; round < 20; round++) {
            queue.produce(NewItem.of(name + "/" + round));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TestWaits.TEST_LIMIT);
        while (completed.size() < 160) {
            assertThat(System.nanoTime())
                    .as("completed so far: " + completed.size())
                    .isLessThan(deadline);
            LeasedBatch batch = queue.lease(request(name, Duration.ofMillis(200)));
            for (LeasedItem item : batch.items()) {
                queue.extend(batch.partition(), List.of(item.id()), Duration.ofMinutes(1));
                if (item.attempts() == 1) {
                    queue.retry(batch.partition(), List.of(RetryItem.now(item.id())));
                } else {
                    queue.complete(batch.partition(), List.of(item.id()));
                    assertThat(completed.add(item.text())).as(item.text()).isTrue();
                }
            }
        }
    }

    @Test
    void a_lease_that_cannot_listen_gets_its_item_soon() {
        try (PostgresQueues one = PostgresQueues.create(bouncer.pooled());
                PostgresQueues other = PostgresQueues.create(bouncer.pooled())) {
            one.create(QueueConfig.named("deaf"));
            var waiting = other.queue("deaf").leaseAsync(request("c", Duration.ofMinutes(2)));
            one.queue("deaf").produce(NewItem.of("x"));
            assertThat(TestWaits.get(waiting).items()).hasSize(1);
        }
    }

    @Test
    void a_lease_with_a_direct_connection_beside_the_pooler_is_woken() {
        try (PostgresQueues one = PostgresQueues.create(bouncer.pooled());
                PostgresQueues other = PostgresQueues.builder()
                        .store("postgres", 1, bouncer.pooled(), direct)
                        .options(options -> options.lookInterval(Duration.ofMinutes(5)))
                        .build()) {
            one.create(QueueConfig.named("heard"));
            ItemQueue heard = other.queue("heard");
            var waiting = heard.leaseAsync(request("c", Duration.ofMinutes(2)));
            TestWaits.await().until(() -> heard.admin().stats().leaseWaiting() == 1);
            one.queue("heard").produce(NewItem.of("x"));
            assertThat(TestWaits.get(waiting).items()).hasSize(1);
        }
    }
}
