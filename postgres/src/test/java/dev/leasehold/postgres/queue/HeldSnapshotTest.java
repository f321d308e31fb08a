package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody's long transaction keeps what is gone from being taken away; leases find their way around it, and their order. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class HeldSnapshotTest {
    private static final int MANY = 8 * LeaseCursor.ITEMS;

    private final BareEngine bare = new BareEngine();
    private final PartitionRef queue = bare.create(QueueConfig.named("busy"));

    @AfterEach
    void close() {
        bare.close();
    }

    private void pump(int items) {
        for (int done = 0; done < items; done += LeaseCursor.ITEMS) {
            bare.store.complete(queue, bare.leased(queue, LeaseCursor.ITEMS)).join();
        }
        bare.store.count(queue).join(); // whatever was sent before has been answered on the one connection
    }

    /** Nothing is gone for good while any transaction of the server is under way that was there before. */
    private void pumpUntilLeasesBeginBehind(long number) {
        TestWaits.await().until(() -> {
            boolean behind = first() > number;
            if (!behind) {
                pump(LeaseCursor.ITEMS);
            }
            return behind;
        });
    }

    private long first() {
        LeaseCursor.Scan scan = bare.calls(queue).cursor.beginScan();
        bare.calls(queue).cursor.endScan(scan);
        return scan.known();
    }

    private List<ItemId> lease(int limit) {
        return bare.store.lease(queue, Portion.of(limit)).join().items().stream()
                .map(LeasedItem::id)
                .toList();
    }

    private Connection snapshot() throws SQLException {
        Connection connection = Db.transaction(bare.dataSource, Connection.TRANSACTION_REPEATABLE_READ);
        Db.execute(connection, "select count(*) from pg_class");
        return connection;
    }

    @Test
    void leases_begin_behind_what_is_gone() throws SQLException {
        try (Connection held = snapshot()) {
            pump(MANY);
            pumpUntilLeasesBeginBehind(MANY / 2);
            List<ItemId> produced =
                    bare.store.produce(queue, BareEngine.items(3)).join();
            assertThat(lease(5)).isEqualTo(produced);
            held.rollback();
        }
    }

    @Test
    void items_of_a_transaction_that_commits_late_are_leased_before_those_that_came_after_it() throws Exception {
        pump(MANY);
        try (Connection late = Db.transaction(bare.dataSource)) {
            List<ItemId> first = bare.calls(queue).produce.runAlone(late, BareEngine.items(2));
            pump(MANY);
            assertThat(first()).isLessThanOrEqualTo(QueueRows.number(queue, first.get(0)));
            List<ItemId> second = bare.store.produce(queue, BareEngine.items(2)).join();
            late.commit();
            assertThat(lease(2)).isEqualTo(first);
            assertThat(lease(2)).isEqualTo(second);
        }
    }

    /** Or it could draw an id, be held up before it has a number, and not be seen under way. */
    @Test
    void a_transaction_has_its_number_before_it_draws_an_id() throws Exception {
        pump(1);
        try (Connection brake = Db.transaction(bare.dataSource);
                Connection producer = Db.transaction(bare.dataSource)) {
            long pid = Db.number(producer, "select pg_backend_pid()");
            Db.execute(brake, "alter sequence " + sequence() + " increment 1");
            CompletableFuture<List<ItemId>> produced = CompletableFuture.supplyAsync(() -> produce(producer));
            String isHeldUp = "select count(*) from pg_locks where not granted and pid = " + pid;
            TestWaits.await().until(() -> Db.number(bare.dataSource, isHeldUp) == 1);
            assertThat(Db.number(bare.dataSource, "select count(backend_xid) from pg_stat_activity where pid = " + pid))
                    .isEqualTo(1);
            brake.rollback();
            assertThat(TestWaits.get(produced)).hasSize(1);
        }
    }

    private String sequence() {
        return QueueTables.quoted(QueueTables.items(queue) + "_seq");
    }

    private List<ItemId> produce(Connection connection) {
        try {
            return bare.calls(queue).produce.runAlone(connection, BareEngine.items(1));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void what_is_given_back_is_leased_before_what_is_behind_it() {
        pump(MANY);
        List<ItemId> produced = bare.store.produce(queue, BareEngine.items(2)).join();
        assertThat(lease(2)).isEqualTo(produced);
        pump(MANY);
        pumpUntilLeasesBeginBehind(QueueRows.number(queue, produced.get(1)));
        List<ItemId> behind = bare.store.produce(queue, BareEngine.items(2)).join();
        bare.store.giveBack(queue, produced).join();
        assertThat(numbers(lease(2))).isEqualTo(numbers(produced));
        assertThat(lease(2)).isEqualTo(behind);
    }

    private List<Long> numbers(List<ItemId> ids) {
        return ids.stream().map(id -> QueueRows.number(queue, id)).toList();
    }

    @Test
    void what_another_node_gives_back_is_found_before_long() {
        pump(MANY);
        List<ItemId> produced = bare.store.produce(queue, BareEngine.items(1)).join();
        assertThat(lease(1)).isEqualTo(produced);
        pump(MANY);
        Db.execute(
                bare.dataSource,
                "update " + QueueTables.quoted(QueueTables.items(queue))
                        + " set is_leased = false, lease_deadline = null");
        TestWaits.await().until(() -> lease(1).equals(produced));
    }
}
