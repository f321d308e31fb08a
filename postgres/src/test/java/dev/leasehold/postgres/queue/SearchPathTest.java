package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A node whose role has another schema first in its search path puts items where all others find them. */
@Timeout(TestWaits.TEST_LIMIT)
class SearchPathTest {
    private final PGSimpleDataSource plain = TestPostgres.newSchema();
    private final PGSimpleDataSource other = TestPostgres.newSchema();
    private final String schema = plain.getCurrentSchema();
    private final String otherSchema = other.getCurrentSchema();

    @BeforeEach
    void open() {
        QueueSchema.create(plain);
        other.setCurrentSchema(otherSchema + "," + schema);
    }

    @AfterEach
    void close() {
        for (String each : new String[] {schema, otherSchema}) {
            Db.execute(TestPostgres.dataSource(), "drop schema " + each + " cascade");
        }
    }

    @Test
    void an_item_is_stored_in_the_schema_of_its_queue_whatever_is_first_in_the_search_path() {
        try (PostgresQueues there = PostgresQueues.create(other);
                PostgresQueues here = PostgresQueues.create(plain)) {
            there.create(QueueConfig.named("work").leaseTimeout(TestWaits.LIMIT));
            there.queue("work").produce(NewItem.of("mine"));

            LeasedBatch batch =
                    here.queue("work").lease(LeaseRequest.of("me", 1).timeout(TestWaits.LIMIT));
            assertThat(batch.items()).extracting(LeasedItem::text).containsExactly("mine");
            there.queue("work").complete(batch);
            there.delete("work");
        }
        assertThat(tables(schema) + tables(otherSchema)).isZero();
    }

    private static long tables(String schema) {
        return Db.number(
                TestPostgres.dataSource(),
                "select count(*) from pg_tables where schemaname = '" + schema + "' and tablename like 'items\\_%'");
    }

    /** Nodes that both find no table make it one after the other. */
    @Test
    void nodes_that_make_a_table_at_the_same_time_make_one() {
        PGSimpleDataSource third = TestPostgres.copyOf(other);
        for (int i = 0; i < 20; i++) {
            String name = "work" + i;
            try (PostgresQueues here = PostgresQueues.create(other);
                    PostgresQueues there = PostgresQueues.create(third)) {
                here.create(QueueConfig.named(name));
                List<CompletableFuture<Produced>> both = List.of(
                        here.queue(name).produceAsync(ProduceRequest.of(List.of(NewItem.of("one")))),
                        there.queue(name).produceAsync(ProduceRequest.of(List.of(NewItem.of("other")))));
                both.forEach(TestWaits::get);
            }
        }
        assertThat(tables(schema)).isEqualTo(20);
        assertThat(tables(otherSchema)).isZero();
    }

    @Test
    void a_table_that_was_made_elsewhere_in_the_search_path_goes_on_being_used() {
        try (PostgresQueues before = PostgresQueues.create(plain)) {
            before.create(QueueConfig.named("work"));
            before.queue("work").produce(NewItem.of("old"));
        }
        String table = '"' + QueueTables.items(QueueHash.of("work"), 0) + '"';
        Db.execute(plain, "alter table " + table + " set schema " + otherSchema);
        Db.execute(other, "alter table " + table + " drop column given_back"); // as an earlier version made it
        try (PostgresQueues after = PostgresQueues.create(other)) {
            assertThat(after.queue("work")
                            .lease(LeaseRequest.of("me", 1).timeout(TestWaits.LIMIT))
                            .items())
                    .extracting(LeasedItem::text)
                    .containsExactly("old");
        }
        assertThat(tables(schema)).isZero();
    }
}
