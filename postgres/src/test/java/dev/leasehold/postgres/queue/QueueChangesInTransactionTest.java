package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a caller's own transaction meets: a queue that others change or delete meanwhile, and its own mistakes. */
@Timeout(TestWaits.TEST_LIMIT)
class QueueChangesInTransactionTest extends TransactionFixture {
    private static QueueUpdate changed() {
        return QueueUpdate.to(QueueConfig.named("work").leaseTimeout(LEASE).reference("changed"));
    }

    @Test
    void a_change_of_the_queue_by_another_node_is_noticed_in_the_transaction() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource)) {
            post(connection);
            other.update(changed());
            queue.complete(connection, 0, batch.ids());
            queue.produce(connection, NewItem.of("next"));
            connection.commit();
        }
        assertThat(queue.list(ItemListing.of(0))).hasSize(1);
    }

    @Test
    void a_change_of_the_queue_after_an_old_snapshot_fails_the_transaction() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource, REPEATABLE_READ)) {
            post(connection);
            other.update(changed());
            node.info("work");
            assertFails(() -> queue.complete(connection, 0, batch.ids()), QueueErrorCode.SERVICE_UNAVAILABLE);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
        queue.complete(batch);
    }

    @Test
    void a_queue_that_was_deleted_meanwhile_fails_the_transaction() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource)) {
            post(connection);
            other.delete("work");
            assertFails(() -> queue.produce(connection, NewItem.of("x")), QueueErrorCode.NO_SUCH_QUEUE);
            assertFails(() -> queue.complete(connection, 0, batch.ids()), QueueErrorCode.NO_SUCH_QUEUE);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
    }

    @Test
    void a_transaction_that_has_produced_and_a_delete_do_not_wait_for_each_other_for_ever() throws Exception {
        queue.complete(leaseOne());
        try (Connection connection = Db.transaction(dataSource)) {
            queue.produce(connection, NewItem.of("x"));
            CompletableFuture<Void> delete = CompletableFuture.runAsync(() -> other.delete("work"));
            TestWaits.await().until(() -> Db.number(dataSource, "select count(*) from queues where deleted") == 1);
            post(connection);
            connection.commit();
            TestWaits.get(delete.exceptionally(failure -> null));
        }
        assertThat(entries()).isEqualTo(1);
        try (PostgresQueues any = node(Duration.ofMillis(20))) {
            assertThat(any).isNotNull();
            TestWaits.await().until(() -> Db.number(dataSource, "select count(*) from queues") == 0);
        }
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from pg_tables where tablename like 'items_%'" + " and schemaname = '"
                                + dataSource.getCurrentSchema() + "'"))
                .isZero();
    }

    @Test
    void a_caller_who_has_locked_the_record_of_the_queue_is_told_in_time_and_not_left_waiting() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            Db.execute(connection, "update queues set reference = 'mine' where name = 'work'");
            assertFails(() -> queue.produce(connection, NewItem.of("x")), QueueErrorCode.NETWORK_TIMEOUT);
            connection.rollback();
        }
        assertThat(leaseOne().items()).hasSize(1);
    }

    @Test
    void a_connection_without_a_transaction_is_refused() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> queue.produce(connection, NewItem.of("x")))
                    .hasMessageStartingWith("produce needs a transaction, but the connection commits by itself");
            assertThatThrownBy(() -> queue.complete(connection, 0, batch.ids()))
                    .hasMessageStartingWith("complete needs a transaction, but the connection commits by itself");
        }
        assertThat(queue.list(ItemListing.of(0))).hasSize(1);
    }
}
