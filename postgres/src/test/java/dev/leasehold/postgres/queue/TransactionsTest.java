package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.ItemListing;
import dev.leasehold.queue.LeaseRequest;
import dev.leasehold.queue.LeasedBatch;
import dev.leasehold.queue.LeasedItem;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.Produced;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueUpdate;
import dev.leasehold.queue.When;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is produced and completed in the caller's own transaction shares its fate, whatever that is. */
@Timeout(20)
class TransactionsTest {
    private static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;
    private static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;
    private static final int SERIALIZABLE = Connection.TRANSACTION_SERIALIZABLE;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private final TestClock clock = new TestClock();
    private PGSimpleDataSource dataSource;
    private PostgresQueues node;
    private PostgresQueues other;
    private PostgresQueue queue;

    @BeforeEach
    void open() {
        dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        Db.execute(dataSource, "create table ledger (entry text)");
        node = node(Duration.ofMinutes(5)); // so that only a wake-up can be the reason that somebody wakes
        other = node(Duration.ofMinutes(5));
        node.create(QueueConfig.named("work").leaseTimeout(LEASE));
        queue = node.queue("work");
    }

    private PostgresQueues node(Duration lookInterval) {
        return PostgresQueues.builder(dataSource)
                .testClock(clock)
                .connections(2)
                .timeout(Duration.ofSeconds(1))
                .options(options -> options.lookInterval(lookInterval))
                .build();
    }

    @AfterEach
    void close() {
        node.close();
        other.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private static QueueUpdate changed() {
        return QueueUpdate.to(QueueConfig.named("work").leaseTimeout(LEASE).reference("changed"));
    }

    private long entries() {
        return Db.number(dataSource, "select count(*) from ledger");
    }

    private static void post(Connection connection) throws SQLException {
        Db.execute(connection, "insert into ledger values ('posted')");
    }

    private static LeaseRequest request(String client, Duration timeout) {
        return LeaseRequest.of(client, 10).timeout(timeout);
    }

    private LeasedBatch leaseOne() {
        queue.produce(NewItem.of("one"));
        return queue.lease(LeaseRequest.of("me", 1));
    }

    /** Commits; that it cannot be is what is being tested. */
    private static void commitWhateverHappens(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isNotNull();
        }
    }

    private static void assertFails(ThrowingCallable call, QueueErrorCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

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
        CompletableFuture<LeasedBatch> lease = waiting.leaseAsync(request("waiting", Duration.ofSeconds(10)));
        Awaitility.await()
                .until(() -> Db.number(
                                TestPostgres.dataSource(),
                                "select count(*) from pg_stat_activity where query like 'listen \"leasehold_%'")
                        >= 1);
        try (Connection connection = Db.transaction(dataSource)) {
            Produced produced = queue.produce(connection, NewItem.of("news"));
            for (int i = 0; i < 20; i++) { // some time passes, in which nothing may come
                waiting.list(ItemListing.of(0));
            }
            assertThat(lease).isNotDone();
            connection.commit();
            LeasedBatch batch = lease.get(1, TimeUnit.SECONDS);
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
        assertThat(lease.get(5, TimeUnit.SECONDS).isEmpty()).isTrue();
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

    /** Has the lease end, and another node lease the item under its new id. */
    private ItemId loseLease() {
        clock.advance(LEASE.plusSeconds(1));
        try (PostgresQueues sweeper = node(Duration.ofMillis(20))) {
            return sweeper.queue("work")
                    .lease(request("thief", Duration.ofSeconds(5)))
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

    @Test
    void a_connection_without_a_transaction_is_refused() throws SQLException {
        LeasedBatch batch = leaseOne();
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> queue.produce(connection, NewItem.of("x")))
                    .hasMessage("produce needs a connection with a transaction: call setAutoCommit(false) first");
            assertThatThrownBy(() -> queue.complete(connection, 0, batch.ids()))
                    .hasMessage("complete needs a connection with a transaction: call setAutoCommit(false) first");
        }
        assertThat(queue.list(ItemListing.of(0))).hasSize(1);
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
            Awaitility.await().until(() -> Db.number(dataSource, "select count(*) from queues where deleted") == 1);
            post(connection);
            connection.commit();
            delete.exceptionally(failure -> null).get(10, TimeUnit.SECONDS);
        }
        assertThat(entries()).isEqualTo(1);
        try (PostgresQueues any = node(Duration.ofMillis(20))) {
            assertThat(any).isNotNull();
            Awaitility.await().until(() -> Db.number(dataSource, "select count(*) from queues") == 0);
        }
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from pg_tables where tablename like 'items_%'" + " and schemaname = '"
                                + dataSource.getCurrentSchema() + "'"))
                .isZero();
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

    @Test
    void a_caller_who_has_locked_the_record_of_the_queue_is_told_in_time_and_not_left_waiting() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            Db.execute(connection, "update queues set reference = 'mine' where name = 'work'");
            assertFails(() -> queue.produce(connection, NewItem.of("x")), QueueErrorCode.NETWORK_TIMEOUT);
            connection.rollback();
        }
        assertThat(leaseOne().items()).hasSize(1);
    }
}
