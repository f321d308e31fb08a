package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** The tables of partitions come with the first item and go with their queue, whoever is at it and whatever interrupts them. */
@Timeout(5 * TestWaits.TEST_LIMIT)
@Tag("slow")
class ItemTablesTest {
    private static final int PRODUCERS = 20;
    private static final int CONSUMERS = 8;
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final List<PostgresQueues> nodes = new ArrayList<>();
    private PostgresQueues node;

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        node = node();
    }

    private PostgresQueues node() {
        PostgresQueues fresh = PostgresQueues.builder(dataSource)
                .connections(2)
                .options(options -> options.lookInterval(Duration.ofMillis(50)))
                .build();
        nodes.add(fresh);
        return fresh;
    }

    @AfterEach
    void close() {
        nodes.forEach(PostgresQueues::close);
        Db.execute(
                dataSource,
                "do $$ declare t text; begin loop"
                        + " select tablename into t from pg_tables where schemaname = current_schema() limit 1;"
                        + " exit when t is null; execute format('drop table %I', t); commit; end loop; end $$");
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private long tables() {
        return Db.number(
                dataSource,
                "select count(*) from pg_tables where schemaname = current_schema() and tablename like 'items\\_%'");
    }

    @Test
    void a_table_comes_with_the_first_item() {
        node.create(QueueConfig.named("lazy").partitions(3));
        ItemQueue queue = node.queue("lazy");
        assertThat(queue.lease(LeaseRequest.of("me", 1).timeout(Duration.ofMillis(50)))
                        .isEmpty())
                .isTrue();
        assertThat(tables()).isZero();
        queue.produce(NewItem.of("first"));
        assertThat(tables()).isEqualTo(1);
        queue.produce(NewItem.of("second"));
        assertThat(tables()).isEqualTo(2);
    }

    @Test
    void a_table_of_an_earlier_version_gets_the_columns_that_it_lacks() {
        node.create(QueueConfig.named("old").partitions(2));
        node.queue("old").produce(NewItem.of("first"));
        node.queue("old").produce(NewItem.of("second"));
        node.close();
        for (int partition = 0; partition < 2; partition++) {
            String table = QueueTables.quoted(QueueTables.items(QueueHash.of("old"), partition));
            Db.execute(dataSource, "alter table " + table + " drop column given_back");
        }

        ItemQueue queue = node().queue("old");
        LeasedBatch batch = queue.lease(LeaseRequest.of("me", 1)); // nothing is produced: it finds what is there
        queue.giveBack(batch.partition(), batch.ids());
        assertThat(node().queue("old").list(ItemListing.of(0))).hasSize(1);
        assertThat(node().queue("old").list(ItemListing.of(1))).hasSize(1);
        for (int i = 0; i < 2; i++) {
            queue.complete(queue.lease(LeaseRequest.of("me", 1)));
        }
    }

    @Test
    void many_nodes_may_make_the_same_table_at_once() {
        node.create(QueueConfig.named("raced"));
        List<CompletableFuture<Produced>> produced = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            produced.add(node().queue("raced").produceAsync(ProduceRequest.of(NewItem.of("item " + i))));
        }
        Set<ItemId> ids = new HashSet<>();
        produced.forEach(call -> ids.addAll(call.join().ids()));
        assertThat(ids).hasSize(8);
        assertThat(node.queue("raced").lease(LeaseRequest.of("me", 10)).items()).hasSize(8);
        assertThat(tables()).isEqualTo(1);
    }

    @Test
    void deleting_a_queue_drops_its_tables_and_a_new_one_of_that_name_is_empty() {
        PostgresQueues other = node();
        node.create(QueueConfig.named("phoenix").partitions(2));
        Produced old = node.queue("phoenix").produce(NewItem.of("ash"));
        node.queue("phoenix").produce(NewItem.of("ash"));
        assertThat(other.queue("phoenix").list(ItemListing.of(1))).hasSize(1);
        assertThat(tables()).isEqualTo(2);
        node.delete("phoenix");
        assertThat(tables()).isZero();
        node.create(QueueConfig.named("phoenix"));
        Produced fresh = other.queue("phoenix").produce(NewItem.of("bird"));
        assertThat(fresh.ids()).doesNotContainAnyElementsOf(old.ids());
        assertThat(node.queue("phoenix").list(ItemListing.of(0))).hasSize(1);
        LeasedBatch batch = node.queue("phoenix").lease(LeaseRequest.of("me", 10));
        assertThat(batch.ids()).isEqualTo(fresh.ids());
    }

    @Test
    void a_delete_that_was_cut_short_is_finished_by_any_node() {
        cutShort("half");
        node();
        Awaitility.await().until(() -> tables() == 0 && Db.number(dataSource, "select count(*) from queues") == 0);
    }

    @Test
    void a_delete_that_was_cut_short_is_finished_by_who_creates_the_queue_again() {
        cutShort("half");
        nodes.add(PostgresQueues.create(dataSource));
        PostgresQueues creator = nodes.get(nodes.size() - 1);
        creator.create(QueueConfig.named("half"));
        creator.queue("half").produce(NewItem.of("new"));
        assertThat(creator.queue("half").lease(LeaseRequest.of("me", 10)).items())
                .hasSize(1);
        assertThat(tables()).isEqualTo(1);
    }

    /** A queue of two partitions with items in it, marked as deleted by a node that then died. */
    private void cutShort(String name) {
        node.create(QueueConfig.named(name).partitions(2));
        node.queue(name).produce(NewItem.of("old"));
        node.queue(name).produce(NewItem.of("old"));
        assertThat(tables()).isEqualTo(2);
        node.close();
        nodes.remove(node);
        Db.execute(
                dataSource,
                "update queues set deleted = true, version = nextval('queues_version') where name = '" + name + "'");
    }

    @Test
    void a_table_that_somebody_has_dropped_is_made_again() {
        node.create(QueueConfig.named("robbed"));
        ItemQueue queue = node.queue("robbed");
        queue.produce(NewItem.of("gone"));
        Db.execute(dataSource, "drop table " + QueueTables.quoted(QueueTables.items(QueueHash.of("robbed"), 0)));
        queue.produce(NewItem.of("new"));
        assertThat(queue.lease(LeaseRequest.of("me", 10)).items()).hasSize(1);
    }

    @Test
    @Tag("long")
    void a_thousand_partitions_work() {
        int partitions = 1000;
        node.close(); // it looks around too often for so many
        try (HikariDataSource pool = pool();
                PostgresQueues queues = PostgresQueues.create(pool)) {
            queues.create(QueueConfig.named("wide").partitions(partitions));
            ItemQueue queue = queues.queue("wide");
            Set<ItemId> open = produce(queue, 3 * partitions);
            assertThat(open).hasSize(3 * partitions);
            assertThat(tables()).isEqualTo(partitions);
            List<QueueStats.Partition> stats = queue.admin().stats().partitions();
            assertThat(stats).hasSize(partitions).allMatch(partition -> partition.total() > 0);
            assertThat(stats.stream().mapToLong(QueueStats.Partition::total).sum())
                    .isEqualTo(3L * partitions);
            IntStream.range(0, CONSUMERS)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> consume(queue, "consumer " + i, open)))
                    .toList()
                    .forEach(CompletableFuture::join);
            queues.delete("wide");
            assertThat(tables()).isZero();
        }
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(10);
        return new HikariDataSource(config);
    }

    private static void consume(ItemQueue queue, String client, Set<ItemId> open) {
        while (!open.isEmpty()) {
            LeasedBatch batch = queue.lease(LeaseRequest.of(client, 100).timeout(Duration.ofMillis(100)));
            if (!batch.isEmpty()) {
                assertThat(open.removeAll(batch.ids())).isTrue();
                queue.complete(batch);
            }
        }
    }

    /** Produces items one by one, some at a time. */
    private static Set<ItemId> produce(ItemQueue queue, int items) {
        Set<ItemId> ids = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < items; i += PRODUCERS) {
            List<CompletableFuture<Produced>> produced = new ArrayList<>();
            for (int j = 0; j < PRODUCERS; j++) {
                produced.add(queue.produceAsync(ProduceRequest.of(NewItem.of("item"))));
            }
            produced.forEach(call -> ids.addAll(call.join().ids()));
        }
        return ids;
    }
}
