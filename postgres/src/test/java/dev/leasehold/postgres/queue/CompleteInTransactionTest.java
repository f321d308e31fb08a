package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/** What is completed in the caller's own transaction shares its fate; who has lost the lease cannot commit. */
@Timeout(TestWaits.TEST_LIMIT)
class CompleteInTransactionTest extends TransactionFixture {
    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void completion_and_effect_happen_together(int isolation) throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection);
            queue.complete(connection, batch.partition(), batch.ids());
            assertThat(queue.list(ItemListing.of(0))).hasSize(1);
            connection.commit();
        }
        assertThat(entries()).isEqualTo(1);
        assertThat(queue.list(ItemListing.of(0))).isEmpty();
    }

    @Test
    void or_neither_happens() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource)) {
            post(connection);
            queue.complete(connection, batch.partition(), batch.ids());
            connection.rollback();
        }
        assertThat(entries()).isZero();
        queue.complete(batch);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void who_lost_the_lease_cannot_commit(int isolation) throws SQLException {
        LeasedBatch batch = leaseOne();
        ItemId again = loseLease();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection);
            assertFails(() -> queue.complete(connection, batch.partition(), batch.ids()), QueueErrorCode.NO_SUCH_ITEM);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
        other.queue("work").complete(0, List.of(again));
    }

    @ParameterizedTest
    @ValueSource(ints = {REPEATABLE_READ, SERIALIZABLE})
    void a_snapshot_from_before_the_lease_is_told_from_a_lost_lease(int isolation) throws SQLException {
        queue.produce(NewItem.of("one"));
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection);
            LeasedBatch batch = queue.lease(LeaseRequest.of("me", 1));
            assertThatThrownBy(() -> queue.complete(connection, batch.partition(), batch.ids()))
                    .isInstanceOfSatisfying(
                            QueueException.class,
                            e -> assertThat(e.code()).isEqualTo(QueueErrorCode.SERVICE_UNAVAILABLE))
                    .hasMessageContaining("this transaction's snapshot is from before its lease");
            commitWhateverHappens(connection);
            assertThat(entries()).isZero();
            queue.complete(batch);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void who_lost_the_lease_after_the_snapshot_cannot_commit(int isolation) throws SQLException {
        LeasedBatch batch = leaseOne();
        ItemId again;
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection);
            again = loseLease();
            assertThatThrownBy(() -> queue.complete(connection, batch.partition(), batch.ids()))
                    .isInstanceOf(QueueException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
        other.queue("work").complete(0, List.of(again));
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_savepoint_does_not_save_a_transaction_whose_lease_was_lost(int isolation) throws SQLException {
        LeasedBatch batch = leaseOne();
        loseLease();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection);
            Savepoint savepoint = connection.setSavepoint();
            assertFails(() -> queue.complete(connection, batch.partition(), batch.ids()), QueueErrorCode.NO_SUCH_ITEM);
            assertThatThrownBy(() -> connection.rollback(savepoint)).isInstanceOf(SQLException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
    }

    @Test
    void a_rollback_to_a_savepoint_undoes_a_completion_with_its_effect() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource)) {
            Savepoint savepoint = connection.setSavepoint();
            post(connection);
            queue.complete(connection, batch.partition(), batch.ids());
            connection.rollback(savepoint);
            connection.commit();
        }
        assertThat(entries()).isZero();
        queue.complete(batch);
    }

    @Test
    void a_connection_that_rolls_back_single_statements_is_refused_and_nothing_commits() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource)) {
            connection.unwrap(PGConnection.class).setAutosave(AutoSave.ALWAYS);
            post(connection);
            assertThatThrownBy(() -> queue.complete(connection, batch.partition(), batch.ids()))
                    .isInstanceOf(QueueException.class)
                    .hasMessageContaining("autosave=always");
            assertThatThrownBy(() -> post(connection)).isInstanceOf(SQLException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
        queue.complete(batch);
    }

    /** Has the lease end, and another node lease the item under its new id. */
    private ItemId loseLease() {
        clock.advance(LEASE.plusSeconds(1));
        try (PostgresQueues sweeper = node(Duration.ofMillis(20))) {
            return sweeper.queue("work")
                    .lease(request("thief", TestWaits.LIMIT))
                    .ids()
                    .get(0);
        }
    }

    @Test
    void an_item_completed_in_an_open_transaction_is_not_taken_away_when_its_lease_ends() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource);
                PostgresQueues sweeper = node(Duration.ofMillis(20))) {
            post(connection);
            queue.complete(connection, batch.partition(), batch.ids());
            clock.advance(LEASE.plusSeconds(1));
            assertThat(sweeper.queue("work")
                            .lease(request("thief", Duration.ofMillis(300)))
                            .isEmpty())
                    .isTrue();
            connection.commit();
        }
        assertThat(entries()).isEqualTo(1);
        assertThat(queue.list(ItemListing.of(0))).isEmpty();
    }

    @Test
    void one_wrong_id_of_many_completes_nothing_and_dooms_the_transaction() throws SQLException {
        queue.produce(NewItem.of("a"), NewItem.of("b"), NewItem.of("c"));
        LeasedBatch batch = queue.lease(LeaseRequest.of("me", 3));
        queue.complete(0, batch.ids().subList(1, 2));
        try (Connection connection = Db.transaction(dataSource)) {
            post(connection);
            assertFails(() -> queue.complete(connection, 0, batch.ids()), QueueErrorCode.NO_SUCH_ITEM);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
        assertThat(queue.list(ItemListing.of(0))).hasSize(2);
    }
}
