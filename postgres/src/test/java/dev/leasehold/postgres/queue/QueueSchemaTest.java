package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The table of queues: created once, whoever comes first, under any valid name; and the names of the tables of items. */
@Timeout(TestWaits.TEST_LIMIT)
class QueueSchemaTest {
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();

    @AfterEach
    void drop() {
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private static void assertWorks(PostgresQueues queues, String name) {
        queues.create(QueueConfig.named(name));
        ItemQueue queue = queues.queue(name);
        queue.produce(NewItem.of("hello"));
        assertThat(queue.lease(LeaseRequest.of("me", 1)).items())
                .extracting(LeasedItem::text)
                .containsExactly("hello");
    }

    @Test
    void creating_is_idempotent_and_keeps_what_is_there() {
        QueueSchema.create(dataSource);
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("kept"));
            QueueSchema.create(dataSource);
            Db.execute(dataSource, QueueSchema.sql(QueueTables.DEFAULT));
            assertThat(queues.info("kept").name()).isEqualTo("kept");
        }
    }

    @Test
    void many_nodes_may_create_at_once() {
        List<CompletableFuture<Void>> nodes = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(() -> QueueSchema.create(dataSource)))
                .toList();
        nodes.forEach(CompletableFuture::join);
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            assertWorks(queues, "first");
        }
    }

    @Test
    void a_table_with_queues_of_querator_is_left_alone_and_the_way_out_is_told() {
        Db.execute(
                dataSource,
                "create table queues (name text primary key, lease_timeout_ns bigint not null, expire_timeout_ns bigint not null,"
                        + " dead_queue text not null default '', max_attempts integer not null default 0,"
                        + " reference text not null default '', requested_partitions integer not null,"
                        + " created_at timestamptz not null, updated_at timestamptz not null)");
        Db.execute(dataSource, "insert into queues values ('theirs', 1, 1, '', 0, '', 1, now(), now())");
        assertThatThrownBy(() -> QueueSchema.create(dataSource))
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(QueueErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("the table \"queues\" has rows that are not of Leasehold")
                .hasMessageContaining("currentSchema");
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from information_schema.columns where table_schema = '"
                                + dataSource.getCurrentSchema() + "' and table_name = 'queues'"))
                .isEqualTo(9);
    }

    @Test
    void an_empty_table_of_querator_is_taken_over() {
        Db.execute(
                dataSource,
                "create table queues (name text primary key, lease_timeout_ns bigint not null, expire_timeout_ns bigint not null,"
                        + " dead_queue text not null default '', max_attempts integer not null default 0,"
                        + " reference text not null default '', requested_partitions integer not null,"
                        + " created_at timestamptz not null, updated_at timestamptz not null,"
                        + " namespace text not null default '_system')");
        QueueSchema.create(dataSource);
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            assertWorks(queues, "ours");
        }
    }

    @Test
    void a_complete_schema_is_not_touched_again() throws Exception {
        QueueSchema.create(dataSource);
        try (Connection reader = Db.transaction(dataSource)) {
            Db.number(reader, "select count(*) from queues"); // would keep an ALTER TABLE waiting
            TestWaits.get(CompletableFuture.runAsync(() -> QueueSchema.create(dataSource)));
        }
    }

    @Test
    void the_text_of_the_schema_is_all_that_a_migration_needs() throws Exception {
        Db.execute(dataSource, QueueSchema.sql(QueueTables.DEFAULT));
        try (Connection connection = dataSource.getConnection()) {
            assertThat(QueueSchema.isComplete(connection, QueueTables.DEFAULT)).isTrue();
            assertThat(QueueSchema.isComplete(connection, new QueueTables("others")))
                    .isFalse();
        }
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            assertWorks(queues, "migrated");
        }
    }

    @Test
    void names_are_quoted_so_that_capitals_count() {
        QueueTables tables = new QueueTables("AppQueues");
        QueueSchema.create(dataSource, tables);
        try (PostgresQueues queues =
                PostgresQueues.builder(dataSource).tables(tables).build()) {
            assertWorks(queues, "capital");
        }
        assertThat(Db.number(dataSource, "select count(*) from \"AppQueues\"")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1queues", "my-queues", "queues; drop table x", "a.b", "\"queues\"", "schlösser"})
    void a_table_name_is_an_identifier(String name) {
        assertThatThrownBy(() -> new QueueTables(name))
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(QueueErrorCode.INVALID_ARGUMENT))
                .hasMessage("the name of the table of queues must be an SQL identifier of at most 51 characters, got '"
                        + name + "'");
    }

    @Test
    void a_table_name_leaves_room_for_the_names_of_its_indexes() {
        QueueTables longest = new QueueTables("x".repeat(51));
        QueueSchema.create(dataSource, longest);
        try (PostgresQueues queues =
                PostgresQueues.builder(dataSource).tables(longest).build()) {
            assertWorks(queues, "long");
        }
        assertThatThrownBy(() -> new QueueTables("x".repeat(52))).isInstanceOf(QueueException.class);
    }

    @Test
    void a_table_that_is_not_there_is_told_as_such() {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            assertThatThrownBy(() -> queues.info("nowhere"))
                    .isInstanceOfSatisfying(
                            QueueException.class, e -> assertThat(e.code()).isEqualTo(QueueErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("QueueSchema.create");
        }
    }

    @Test
    void tables_of_items_are_named_as_querator_names_them() {
        QueueSchema.create(dataSource);
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            assertWorks(queues, "my-queue");
        }
        assertThat(Db.number(dataSource, "select count(*) from \"items_3ChTMmwky3_0\""))
                .isEqualTo(1);
    }

    @Test
    void any_name_that_a_queue_may_have_works() {
        QueueSchema.create(dataSource);
        List<String> names = List.of(
                "it's",
                "\"quoted\"",
                "'; drop table queues; --",
                "a.b.c",
                "$1",
                "${items}",
                "?",
                ":name",
                "percent%s\\n",
                "schlange",
                "Schlänge",
                "очередь",
                "队列",
                "🦓🦓",
                "x".repeat(512),
                "ä".repeat(256));
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            names.stream().map(name -> name.replace(" ", "")).forEach(name -> assertWorks(queues, name));
        }
        assertThat(Db.number(dataSource, "select count(*) from queues")).isEqualTo(names.size());
    }
}
