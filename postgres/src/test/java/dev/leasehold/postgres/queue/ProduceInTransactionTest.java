package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is produced in the caller's own transaction is there with its commit, or never was. */
@Timeout(TestWaits.TEST_LIMIT)
class ProduceInTransactionTest extends TransactionFixture {
    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void what_is_produced_is_there_after_the_commit_and_not_before(int isolation) throws SQLException {
        queue.complete(leaseOne());
        Produced produced;
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection);
            produced = queue.produce(connection, NewItem.of("first"), NewItem.of("second"));
            assertThat(queue.list(ItemListing.of(0))).isEmpty();
            assertThat(queue.lease(request("before", Duration.ofMillis(50))).isEmpty())
                    .isTrue();
            connection.commit();
        }
        LeasedBatch batch = queue.lease(request("after", Duration.ofSeconds(5)));
        assertThat(batch.ids()).isEqualTo(produced.ids());
        assertThat(batch.items()).extracting(LeasedItem::text).containsExactly("first", "second");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void who_waits_at_this_node_is_woken_by_the_commit() throws Exception {
        assertWoken(node.queue("work"));
    }

    @Test
    void who_waits_at_another_node_is_woken_by_the_commit() throws Exception {
        assertWoken(other.queue("work"));
    }

    private void assertWoken(PostgresQueue waiting) throws Exception {
        queue.complete(leaseOne());
        CompletableFuture<LeasedBatch> lease = waiting.leaseAsync(request("waiting", Duration.ofMinutes(2)));
        TestWaits.await()
                .until(() -> Db.number(
                                TestPostgres.dataSource(),
                                "select count(*) from pg_stat_activity where query like 'listen \"leasehold_%'"
                                        + " and datname = current_database() and application_name = '"
                                        + dataSource.getApplicationName() + "'")
                        >= 1);
        try (Connection connection = Db.transaction(dataSource)) {
            Produced produced = queue.produce(connection, NewItem.of("news"));
            for (int i = 0; i < 20; i++) { // some time passes, in which nothing may come
                waiting.list(ItemListing.of(0));
            }
            assertThat(lease).isNotDone();
            connection.commit();
            LeasedBatch batch = TestWaits.get(lease);
            assertThat(batch.ids()).isEqualTo(produced.ids());
        }
    }

    @Test
    void what_is_rolled_back_never_was() throws Exception {
        queue.complete(leaseOne());
        CompletableFuture<LeasedBatch> lease = queue.leaseAsync(request("waiting", Duration.ofMillis(300)));
        try (Connection connection = Db.transaction(dataSource)) {
            queue.produce(connection, NewItem.of("never"));
            connection.rollback();
        }
        assertThat(TestWaits.get(lease).isEmpty()).isTrue();
        assertThat(queue.list(ItemListing.of(0))).isEmpty();
    }

    @Test
    void a_scheduled_item_of_a_transaction_comes_when_its_time_has_come() throws Exception {
        try (Connection connection = Db.transaction(dataSource)) {
            queue.produce(connection, NewItem.of("later").when(When.after(Duration.ofHours(1))));
            connection.commit();
        }
        assertThat(queue.listScheduled(ItemListing.of(0))).hasSize(1);
        assertThat(queue.lease(request("early", Duration.ofMillis(50))).isEmpty())
                .isTrue();
        clock.advance(Duration.ofHours(2));
        try (PostgresQueues sweeper = node(Duration.ofMillis(20))) {
            assertThat(sweeper.queue("work")
                            .lease(request("late", Duration.ofSeconds(5)))
                            .items())
                    .hasSize(1);
        }
    }

    @Test
    void the_table_of_a_queue_that_nothing_was_ever_put_into_outlives_a_rollback() throws SQLException {
        try (Connection connection = Db.transaction(dataSource, REPEATABLE_READ)) {
            post(connection);
            queue.produce(connection, NewItem.of("never"));
            connection.rollback();
        }
        assertThat(queue.list(ItemListing.of(0))).isEmpty();
        assertThat(leaseOne().items()).hasSize(1);
    }
}
