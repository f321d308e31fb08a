package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A standby was promoted without the last commits: rows are gone, sequences have gone back, and the server is in another timeline.
 * Whatever is drawn then is nothing that anybody knows from before. The timeline is that of a function which stands before
 * PostgreSQL's own in the search path.
 */
@Timeout(TestWaits.TEST_LIMIT)
class TimelineTest {
    private static final String ITEMS = QueueTables.items(QueueHash.of("work"), 0);

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final String schema = dataSource.getCurrentSchema();
    private final List<PostgresQueues> nodes = new ArrayList<>();
    private PostgresQueues node;
    private ItemQueue queue;

    @BeforeEach
    void open() {
        Db.execute(dataSource, "create table server (timeline) as select 1");
        tells("return (select lpad(to_hex(timeline), 8, '0') || '0000000000000001' from " + schema + ".server);");
        dataSource.setCurrentSchema(schema + ",pg_catalog");
        QueueSchema.create(dataSource);
        node = node();
        node.create(QueueConfig.named("dead"));
        node.create(QueueConfig.named("work").maxAttempts(5).deadQueue("dead"));
        queue = node.queue("work");
    }

    private void tells(String body) {
        Db.execute(
                dataSource,
                "create or replace function " + schema + ".pg_walfile_name(pg_lsn) returns text language plpgsql as"
                        + " $$ begin " + body + " end $$");
    }

    private PostgresQueues node() {
        PostgresQueues fresh = PostgresQueues.builder(dataSource)
                .options(options -> options.lookInterval(Duration.ofMillis(100)))
                .build();
        nodes.add(fresh);
        return fresh;
    }

    @AfterEach
    void close() {
        nodes.forEach(PostgresQueues::close);
        Db.execute(TestPostgres.dataSource(), "drop schema " + schema + " cascade");
    }

    private void failOver() {
        Db.execute(dataSource, "update server set timeline = timeline + 1");
    }

    /** Fails over to a standby to which the items from this number on had not come. */
    private void loseFrom(long number) {
        Db.execute(dataSource, "delete from " + QueueTables.quoted(ITEMS) + " where id >= " + number);
        String sequence = "'" + QueueTables.quoted(ITEMS + "_seq") + "'";
        Db.execute(
                dataSource, "select setval(" + sequence + ", " + Math.max(1, number - 1) + ", " + (number > 1) + ")");
        failOver();
    }

    private LeasedItem leaseOne(String client) {
        return queue.lease(LeaseRequest.of(client, 1)).items().get(0);
    }

    private static void assertDead(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(QueueException.class).hasMessageContaining("does not exist");
    }

    @Test
    void a_late_complete_of_what_was_lost_deletes_no_other_item() {
        queue.produce(NewItem.of("lost"));
        LeasedItem lost = leaseOne("before");
        loseFrom(1);
        queue.produce(NewItem.of("new"));
        LeasedItem fresh = leaseOne("after");

        assertThat(fresh.text()).isEqualTo("new");
        assertDead(() -> queue.complete(0, List.of(lost.id())));
        assertThat(queue.admin().list(ItemListing.of(0))).hasSize(1);
        queue.complete(0, List.of(fresh.id()));
    }

    @Test
    void ids_grow_over_the_failover_for_every_node() {
        List<ItemId> ids = new ArrayList<>();
        ids.addAll(queue.produce(NewItem.of("a")).ids());
        ids.addAll(queue.produce(NewItem.of("b")).ids());
        loseFrom(2);
        ids.addAll(node().queue("work").produce(NewItem.of("c")).ids());
        ids.addAll(queue.produce(NewItem.of("d")).ids());
        loseFrom(2);
        ids.addAll(queue.produce(NewItem.of("e")).ids());
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(queue.lease(LeaseRequest.of("me", 10)).items())
                .extracting(LeasedItem::text)
                .containsExactly("a", "e");
    }

    @Test
    void an_item_that_is_retried_or_imported_gets_no_id_of_before() {
        queue.produce(NewItem.of("kept"), NewItem.of("lost"));
        LeasedBatch batch = queue.lease(LeaseRequest.of("before", 2));
        ItemId kept = batch.ids().get(0);
        ItemId lost = batch.ids().get(1);
        loseFrom(2);
        queue.retry(0, List.of(RetryItem.now(kept)));
        ItemId retried = leaseOne("after").id();
        assertThat(retried).isGreaterThan(lost);

        loseFrom(2);
        StoredItem imported = queue.admin()
                .importItems(0, List.of(StoredItem.of(new byte[1])))
                .get(0);
        assertThat(imported.id()).isGreaterThan(retried);
    }

    @Test
    void a_dead_letter_is_not_taken_for_one_of_before() {
        queue.produce(NewItem.of("first"));
        queue.retry(0, List.of(RetryItem.dead(leaseOne("me").id())));
        loseFrom(1);
        queue.produce(NewItem.of("second"));
        queue.retry(0, List.of(RetryItem.dead(leaseOne("me").id())));
        assertThat(node.queue("dead").lease(LeaseRequest.of("undertaker", 10)).items())
                .extracting(LeasedItem::text)
                .containsExactly("first", "second");
    }

    @Test
    void a_table_that_was_lost_begins_behind_what_it_had() {
        ItemId lost = queue.produce(NewItem.of("lost")).ids().get(0);
        Db.execute(dataSource, "drop table " + QueueTables.quoted(ITEMS));
        failOver();
        ItemId fresh = queue.produce(NewItem.of("new")).ids().get(0);
        assertThat(fresh).isGreaterThan(lost);
    }

    @Test
    void a_node_that_knows_a_version_that_was_lost_goes_on() {
        queue.produce(NewItem.of("a"));
        long before = Db.number(dataSource, "select version from queues where name = 'work'");
        QueueConfig config = node.info("work").config();
        node.update(QueueUpdate.to(config.maxAttempts(9)));
        queue.produce(NewItem.of("b"));
        Db.execute(dataSource, "update queues set version = " + before + ", max_attempts = 5 where name = 'work'");
        Db.execute(dataSource, "select setval('queues_version', " + before + ")");
        failOver();

        queue.produce(NewItem.of("c"));
        assertThat(node.info("work").config().maxAttempts()).isEqualTo(5);
        node.update(QueueUpdate.to(config.maxAttempts(7)));
        PostgresQueues other = node();
        other.queue("work").produce(NewItem.of("d"));
        assertThat(other.info("work").config().maxAttempts()).isEqualTo(7);
        assertThat(queue.lease(LeaseRequest.of("me", 10)).items()).hasSize(4);
    }

    @Test
    void queues_are_updated_and_deleted_after_a_failover_that_nobody_has_noticed() {
        failOver();
        node.update(QueueUpdate.to(node.info("work").config().maxAttempts(3)));
        assertThat(node.info("work").config().maxAttempts()).isEqualTo(3);
        failOver();
        node.delete("work");
        node.delete("dead");
        assertThat(Db.number(dataSource, "select count(*) from queues")).isZero();
    }

    @Test
    void a_queue_of_an_earlier_version_without_a_timeline_gets_it() {
        queue.produce(NewItem.of("a"));
        Db.execute(dataSource, "update queues set timeline = 0");
        queue.produce(NewItem.of("b"));
        assertThat(Db.number(dataSource, "select timeline from queues where name = 'work'"))
                .isEqualTo(1);
    }

    /** Some managed servers refuse the question. */
    @Test
    void a_server_that_does_not_tell_its_timeline_works() {
        queue.produce(NewItem.of("restored from one that does"));
        tells("raise exception 'not supported' using errcode = '0A000';");
        PostgresQueues there = node();
        there.create(QueueConfig.named("mute"));
        for (ItemQueue mute : List.of(there.queue("mute"), there.queue("work"))) {
            mute.produce(NewItem.of("a"));
            LeasedBatch batch = mute.lease(LeaseRequest.of("me", 1));
            mute.retry(0, List.of(RetryItem.now(batch.ids().get(0))));
            mute.complete(mute.lease(LeaseRequest.of("me", 1)));
        }
        assertThat(Db.number(dataSource, "select count(*) from queues where timeline <> -1 and name <> 'dead'"))
                .isZero();
    }

    @Test
    void transactions_of_the_future_do_not_keep_others_from_being_told() throws Exception {
        try (Connection connection = Db.transaction(dataSource)) {
            long ended = Db.number(connection, "select pg_current_xact_id()::text::bigint");
            connection.commit();
            String fates = Sql.piece("queue/transaction_outcomes", Map.of())
                    .replace(";", "")
                    .replace(":xids", "'{" + ended + ", " + (ended + 1_000_000_000L) + "}'");
            String count = "select count(*) from (" + fates + ") as f where ";
            assertThat(Db.number(connection, count + "is_committed and xid = " + ended))
                    .isEqualTo(1);
            assertThat(Db.number(connection, count + "not is_committed")).isEqualTo(1);
        }
    }
}
