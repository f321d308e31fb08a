package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.TransactionIds;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operation costs, counted on the wire and in the database, and that calls which travel together do not mix. */
@Timeout(TestWaits.TEST_LIMIT)
class QueueRoundTripsTest {
    private static final int MANY = 1000;
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static BareEngine bare;
    private static ItemStore store;
    private static PartitionRef dead;
    private static PartitionRef queue;

    @BeforeAll
    static void warmUp() {
        bare = new BareEngine();
        store = bare.store.blocking();
        dead = bare.create(QueueConfig.named("dead"));
        queue = bare.create(QueueConfig.named("counted").deadQueue("dead").maxAttempts(3));
        for (int i = 0; i < 12; i++) { // past the point where pgjdbc prepares statements on the server
            List<ItemId> ids = bare.leased(queue, 3);
            store.extend(queue, ids, LEASE).join();
            store.retry(queue, dead, retries(ids)).join();
            store.complete(queue, lease(3)).join();
            store.giveBack(queue, bare.leased(queue, 3)).join();
            store.complete(queue, lease(3)).join();
            store.sweep(queue, dead).join();
        }
        bare.calls(queue)
                .cursor
                .leased(
                        LeaseCursor
                                .ITEMS); // as if a survey never ended: the next one would be counted along with a lease
    }

    @AfterAll
    static void close() {
        bare.close();
    }

    @BeforeEach
    void empty() {
        Db.execute(bare.dataSource, "delete from " + QueueTables.quoted(QueueTables.items(queue)));
    }

    private static List<ItemId> lease(int count) {
        return store.lease(queue, Portion.of(count)).join().items().stream()
                .map(LeasedItem::id)
                .toList();
    }

    private static List<RetryItem> retries(List<ItemId> ids) {
        return ids.stream().map(RetryItem::now).toList();
    }

    /** A connection that was idle for a second is asked first whether it still lives: the trip before the counted one may do that. */
    private static int tripsOfFreshLane() {
        store.sweep(queue, dead).join();
        return bare.counts.roundTrips();
    }

    private static void assertOneEach(String what, Runnable operation) {
        int trips = tripsOfFreshLane();
        int transactions = bare.counts.transactions();
        operation.run();
        assertThat(bare.counts.roundTrips() - trips)
                .as("round trips of " + what)
                .isEqualTo(1);
        assertThat(bare.counts.transactions() - transactions)
                .as("transactions of " + what)
                .isEqualTo(1);
    }

    @Test
    void a_thousand_items_are_one_round_trip_and_one_transaction() {
        List<NewItem> items = BareEngine.items(MANY);
        assertOneEach("produce", () -> store.produce(queue, items).join());
        List<ItemId> ids = new ArrayList<>();
        assertOneEach("lease", () -> ids.addAll(lease(MANY)));
        assertThat(ids).hasSize(MANY);
        assertOneEach("extend", () -> store.extend(queue, ids, LEASE).join());
        assertOneEach("retry", () -> store.retry(queue, dead, retries(ids)).join());
        List<ItemId> again = lease(MANY);
        assertOneEach("giveBack", () -> store.giveBack(queue, again).join());
        List<ItemId> last = lease(MANY);
        assertThat(last).hasSize(MANY).doesNotContainAnyElementsOf(again);
        assertOneEach("complete", () -> store.complete(queue, last).join());
        assertThat(bare.count(queue, "true")).isZero();
    }

    @Test
    void a_thousand_dead_letters_are_one_round_trip_and_one_transaction() {
        List<RetryItem> retries =
                bare.leased(queue, MANY).stream().map(RetryItem::dead).toList();
        long before = bare.count(dead, "true");
        assertOneEach("retry", () -> store.retry(queue, dead, retries).join());
        assertThat(bare.count(dead, "true") - before).isEqualTo(MANY);
    }

    @Test
    void a_sweep_that_finds_nothing_and_a_lease_that_finds_nothing_write_nothing() throws Exception {
        int trips = tripsOfFreshLane();
        findNothing();
        assertThat(bare.counts.roundTrips() - trips).isEqualTo(2);
        try (TransactionIds ids = new TransactionIds()) {
            assertThat(ids.leastOf(0, QueueRoundTripsTest::findNothing)).isZero();
        }
    }

    private static void findNothing() {
        store.sweep(queue, dead).join();
        assertThat(lease(MANY)).isEmpty();
    }

    @Test
    void a_complete_with_one_wrong_id_is_repeated_with_care_and_completes_nothing() {
        List<ItemId> ids = new ArrayList<>(bare.leased(queue, MANY));
        ItemId gone = bare.leased(queue, 1).get(0);
        store.complete(queue, List.of(gone)).join();
        ids.set(500, gone);
        int trips = tripsOfFreshLane();
        assertThatThrownBy(() -> QueueAwait.on(store.complete(queue, ids)))
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(QueueErrorCode.NO_SUCH_ITEM))
                .hasMessageContaining(gone.value());
        assertThat(bare.counts.roundTrips() - trips)
                .as("in haste, undone, with care")
                .isEqualTo(3);
        assertThat(bare.count(queue, "is_leased")).isEqualTo(MANY);
    }

    @Test
    void calls_that_meet_travel_together() throws Exception {
        int transactions = bare.counts.transactions();
        int trips = bare.counts.roundTrips();
        atOnce(
                64,
                i -> bare.store.produce(queue, BareEngine.items(1)),
                ids -> assertThat(ids).hasSize(1));
        List<ItemId> leased = lease(64);
        atOnce(64, i -> bare.store.complete(queue, List.of(leased.get(i))), done -> {});
        assertThat(bare.counts.transactions() - transactions)
                .as("transactions of 128 calls and a lease")
                .isLessThanOrEqualTo(20);
        assertThat(bare.counts.roundTrips() - trips)
                .as("round trips of 128 calls and a lease")
                .isLessThanOrEqualTo(20);
        assertThat(bare.count(queue, "true")).isZero();
    }

    /** Calls that meet, because none can be carried out before all have been made. */
    private static <T> void atOnce(int count, IntFunction<CompletableFuture<T>> call, Consumer<T> check)
            throws SQLException {
        List<CompletableFuture<T>> calls = new ArrayList<>();
        try (Connection brake = Db.transaction(bare.dataSource)) {
            Db.execute(brake, "lock table " + QueueTables.quoted(QueueTables.items(queue)));
            IntStream.range(0, count).mapToObj(call).forEach(calls::add);
        }
        calls.stream().map(CompletableFuture::join).forEach(check);
    }

    @Test
    void calls_that_travel_together_get_each_their_own_ids_in_order() {
        List<CompletableFuture<List<ItemId>>> produced = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            NewItem item = NewItem.of("call " + i);
            produced.add(bare.store.produce(queue, Collections.nCopies(1 + i % 3, item)));
        }
        List<ItemId> all = new ArrayList<>();
        produced.forEach(call -> all.addAll(call.join()));
        assertThat(all).isSorted().doesNotHaveDuplicates();
        List<LeasedItem> leased = store.lease(queue, Portion.of(MANY)).join().items();
        assertThat(leased.stream().map(LeasedItem::id)).isEqualTo(all);
        int next = 0;
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j <= i % 3; j++) {
                assertThat(leased.get(next++).text()).isEqualTo("call " + i);
            }
        }
    }

    @Test
    void a_wrong_id_fails_its_own_call_and_no_other() {
        List<ItemId> ids = bare.leased(queue, 64);
        ItemId gone = bare.leased(queue, 1).get(0);
        store.complete(queue, List.of(gone)).join();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            calls.add(bare.store.complete(queue, i % 16 == 7 ? List.of(ids.get(i), gone) : List.of(ids.get(i))));
        }
        for (int i = 0; i < 64; i++) {
            CompletableFuture<Void> call = calls.get(i);
            if (i % 16 == 7) {
                assertThatThrownBy(() -> QueueAwait.on(call)).hasMessageContaining(gone.value());
            } else {
                call.join();
            }
        }
        assertThat(bare.count(queue, "is_leased")).isEqualTo(4);
    }

    @Test
    void an_item_that_two_calls_name_is_completed_by_one_of_them() {
        List<ItemId> ids = bare.leased(queue, 10);
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            calls.add(bare.store.complete(queue, List.of(ids.get(i % 10))));
        }
        CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]))
                .exceptionally(failure -> null)
                .join();
        assertThat(calls.stream().filter(call -> !call.isCompletedExceptionally()))
                .hasSize(10);
        assertThat(bare.count(queue, "true")).isZero();
    }

    @Test
    void retries_and_extensions_that_travel_together_get_each_what_they_asked_for() {
        List<ItemId> ids = bare.leased(queue, 60);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            When when = i % 3 == 0 ? When.now() : When.after(Duration.ofHours(i));
            calls.add(bare.store.retry(queue, dead, List.of(new RetryItem(ids.get(i), when, i % 3 == 2))));
            calls.add(bare.store.extend(queue, List.of(ids.get(30 + i)), Duration.ofHours(i + 1)));
        }
        calls.forEach(CompletableFuture::join);
        assertThat(bare.count(queue, "not is_leased and enqueue_at is null")).isEqualTo(10);
        for (int i = 0; i < 30; i++) {
            String hours =
                    "between now() + interval '" + i + " hours -1 minute' and now() + interval '" + i + " hours'";
            String next = hours.replace("'" + i + " hours", "'" + (i + 1) + " hours");
            assertThat(bare.count(queue, "enqueue_at " + hours)).isEqualTo(i % 3 == 1 ? 1 : 0);
            assertThat(bare.count(queue, "is_leased and lease_deadline " + next))
                    .isEqualTo(1);
        }
    }

    @Test
    void items_at_the_ends_of_time_are_stored_and_do_no_harm_to_others() {
        List<When> extremes = List.of(
                When.at(Instant.MIN),
                When.at(Instant.MAX),
                When.at(Instant.EPOCH),
                When.after(Duration.ofSeconds(Long.MAX_VALUE)),
                When.after(Duration.ofSeconds(Long.MIN_VALUE)));
        List<CompletableFuture<List<ItemId>>> calls = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            NewItem item = NewItem.of("x");
            calls.add(bare.store.produce(
                    queue, List.of(i % 4 == 0 ? item.when(extremes.get(i / 4 % extremes.size())) : item)));
        }
        calls.forEach(CompletableFuture::join);
        assertThat(bare.count(queue, "enqueue_at is null")).isEqualTo(54);
        assertThat(store.list(queue, true, null, Portion.of(MANY)).join()).hasSize(6);
        List<ItemId> leased = lease(MANY);
        assertThat(leased).hasSize(54);
        store.retry(
                        queue,
                        dead,
                        List.of(
                                RetryItem.at(leased.get(0), When.at(Instant.MAX)),
                                RetryItem.at(leased.get(1), When.at(Instant.MIN))))
                .join();
        assertThat(store.sweep(queue, dead).join().ready()).isZero();
        assertThat(bare.count(queue, "enqueue_at is not null")).isEqualTo(7);
    }

    @Test
    void an_item_that_the_database_refuses_fails_its_own_call_and_no_other() {
        Db.execute(
                bare.dataSource,
                "alter table " + QueueTables.quoted(QueueTables.items(queue))
                        + " add constraint no_poison check (kind <> 'poison')");
        try {
            List<CompletableFuture<List<ItemId>>> calls = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                calls.add(bare.store.produce(queue, List.of(NewItem.of("x").kind(i == 40 ? "poison" : "food"))));
            }
            for (int i = 0; i < 64; i++) {
                CompletableFuture<List<ItemId>> call = calls.get(i);
                if (i == 40) {
                    assertThatThrownBy(() -> QueueAwait.on(call)).hasMessageContaining("no_poison");
                } else {
                    assertThat(call.join()).hasSize(1);
                }
            }
            assertThat(bare.count(queue, "true")).isEqualTo(63);
        } finally {
            Db.execute(
                    bare.dataSource,
                    "alter table " + QueueTables.quoted(QueueTables.items(queue)) + " drop constraint no_poison");
        }
    }
}
