package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.QueueGauge;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction that a caller leaves open holds up the tables that it has used, and no other queue. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class OpenTransactionTest extends TransactionFixture {
    private static final int NODES = 3;
    private static final int THREADS_PER_NODE = 2;

    @Override
    Duration timeout() {
        return TestWaits.LIMIT;
    }

    @Test
    void other_queues_are_changed_while_a_deletion_waits_for_the_transaction() throws Exception {
        LeasedBatch batch = leaseOne();
        try (Connection connection = Db.transaction(dataSource)) {
            queue.complete(connection, batch.partition(), batch.ids());
            CompletableFuture<Void> delete = other.deleteAsync("work");
            TestWaits.await().until(() -> Db.number(dataSource, "select count(*) from queues where deleted") == 1);
            try (PostgresQueues busy = node(Duration.ofMillis(20))) {
                for (int i = 0; i < 5; i++) {
                    changeAnother("other-" + i, busy);
                }
                TestWaits.get(delete.exceptionally(failure -> null));
                changeAnother("last", busy);
                assertThat(waiting()).isLessThanOrEqualTo(NODES * THREADS_PER_NODE);
                connection.commit();
                TestWaits.await().until(() -> Db.number(dataSource, "select count(*) from queues where deleted") == 0);
            }
        }
    }

    /** Creates a queue, waits until the other node has discovered it, then changes and deletes it. */
    private void changeAnother(String name, PostgresQueues busy) {
        node.create(QueueConfig.named(name));
        TestWaits.await()
                .until(() ->
                        busy.gauges().stream().map(QueueGauge::queue).toList().contains(name));
        node.update(QueueUpdate.to(node.info(name).config().reference("changed")));
        node.delete(name);
    }

    private long waiting() {
        return Db.number(
                dataSource,
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                        + " and datname = current_database() and application_name = '" + dataSource.getApplicationName()
                        + "'");
    }

    @Test
    void other_queues_are_changed_while_a_table_of_an_earlier_version_waits_for_the_transaction() throws Exception {
        queue.complete(leaseOne());
        String table = QueueTables.quoted(QueueTables.items(QueueHash.of("work"), 0));
        Db.execute(dataSource, "alter table " + table + " drop column given_back");
        try (Connection connection = Db.transaction(dataSource);
                PostgresQueues busy = node(Duration.ofMillis(20))) {
            Db.number(connection, "select count(*) from " + table);
            CompletableFuture<?> produce = other.queue("work").produceAsync(ProduceRequest.of(NewItem.of("x")));
            CompletableFuture<?> update =
                    other.updateAsync(QueueUpdate.to(other.info("work").config().reference("changed")));
            TestWaits.await().until(() -> waiting() > 0);
            for (int i = 0; i < 5; i++) {
                changeAnother("other-" + i, busy);
            }
            assertThat(waiting()).isLessThanOrEqualTo(NODES * THREADS_PER_NODE);
            connection.commit();
            TestWaits.get(produce);
            TestWaits.get(update);
        }
    }

    @Test
    void a_change_that_waits_for_a_transaction_holds_no_lock_that_changes_of_other_queues_need() throws Exception {
        try (Connection connection = Db.transaction(dataSource)) {
            Db.number(connection, "select 1 from queues where name = 'work' for share");
            CompletableFuture<?> update =
                    other.updateAsync(QueueUpdate.to(other.info("work").config().reference("changed")));
            TestWaits.await().until(() -> waiting() > 0);
            assertThat(advisoryLocksOfThoseWhoWait()).isZero();
            connection.commit();
            TestWaits.get(update);
        }
        try (Connection connection = Db.transaction(dataSource)) {
            Db.number(connection, "select 1 from queues where name = 'work' for share");
            CompletableFuture<Void> delete = other.deleteAsync("work");
            TestWaits.await().until(() -> waiting() > 0);
            assertThat(advisoryLocksOfThoseWhoWait()).isZero();
            connection.commit();
            TestWaits.get(delete);
        }
    }

    private long advisoryLocksOfThoseWhoWait() {
        return Db.number(
                dataSource,
                "select count(*) from pg_locks as waiting join pg_locks as held using (pid) join pg_stat_activity using (pid)"
                        + " where not waiting.granted and held.granted and held.locktype = 'advisory'"
                        + " and application_name = '" + dataSource.getApplicationName() + "'");
    }
}
