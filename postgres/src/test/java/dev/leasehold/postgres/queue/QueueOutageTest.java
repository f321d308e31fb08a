package dev.leasehold.postgres.queue;

import static dev.leasehold.queue.QueueErrorCode.NETWORK_TIMEOUT;
import static dev.leasehold.queue.QueueErrorCode.NO_SUCH_ITEM;
import static dev.leasehold.queue.QueueErrorCode.PARTITION_UNAVAILABLE;
import static dev.leasehold.queue.QueueErrorCode.RATE_LIMITED;
import static dev.leasehold.queue.QueueErrorCode.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.AtOnce;
import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestWaits;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A database in trouble is told by the right code, in time, never as done or as empty; and when it is back, so are the queues. */
@Tag("slow")
class QueueOutageTest extends Outages {
    private static final QueueConfig OTHER = QueueConfig.named("other");

    /** Every call that goes to the database. */
    private Map<String, ThrowingCallable> calls(ItemQueue queue, LeasedBatch held) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("produce", () -> queue.produce(NewItem.of("x")));
        calls.put("lease", () -> queue.lease(request(Duration.ofMillis(200))));
        calls.put("complete", () -> queue.complete(held));
        calls.put("retry", () -> queue.retry(0, List.of(RetryItem.now(held.ids().get(0)))));
        calls.put("extend", () -> queue.extend(0, held.ids(), Duration.ofMinutes(2)));
        calls.put("give back", () -> queue.giveBack(0, held.ids()));
        calls.put("list", () -> queue.admin().list(ItemListing.of(0)));
        calls.put("list scheduled", () -> queue.admin().listScheduled(ItemListing.of(0)));
        calls.put("import", () -> queue.admin().importItems(0, List.of(StoredItem.of(new byte[] {1}))));
        calls.put("delete items", () -> queue.admin().delete(0, held.ids()));
        calls.put("clear", () -> queue.admin().clear(new ClearRequest(true, true, true)));
        calls.put("stats", queue.admin()::stats);
        calls.put("reload", queue.admin()::reload);
        calls.put("info", () -> queues.info("work"));
        calls.put("list queues", () -> queues.list(QueueListing.DEFAULT));
        calls.put("create", () -> queues.create(OTHER));
        calls.put("update", () -> queues.update(QueueUpdate.to(QueueConfig.named("work"))));
        calls.put("delete", () -> queues.delete("work"));
        return calls;
    }

    private void assertAllFail(LeasedBatch held, QueueErrorCode... codes) {
        AtOnce.run(calls(queue, held).entrySet().stream()
                .map(call -> (ThrowingCallable) () -> assertFails(call.getKey(), call.getValue(), codes))
                .toArray(ThrowingCallable[]::new));
    }

    private static void assertFails(String name, ThrowingCallable call, QueueErrorCode... codes) {
        try {
            assertFails(call, codes);
        } catch (AssertionError e) {
            throw new AssertionError(name + ": " + e.getMessage(), e);
        }
    }

    @Test
    void a_database_that_is_down_is_unavailable_to_every_call_and_comes_back() {
        LeasedBatch held = lease();
        proxy.down();
        assertAllFail(held, SERVICE_UNAVAILABLE, PARTITION_UNAVAILABLE);
        proxy.up();
        assertWorksAgain();
        queue.complete(held);
    }

    @Test
    void a_database_that_does_not_answer_is_a_timeout_to_every_call_and_comes_back() {
        LeasedBatch held = lease();
        proxy.faults().blackHole();
        assertAllFail(held, NETWORK_TIMEOUT, PARTITION_UNAVAILABLE);
        proxy.cut();
        assertWorksAgain();
        queue.complete(held);
    }

    @Test
    void a_queue_that_this_node_has_never_used_is_a_timeout_too() {
        try (PostgresQueues fresh =
                PostgresQueues.builder(throughProxy()).timeout(TIMEOUT).build()) {
            proxy.faults().blackHole();
            for (int i = 0; i < 3; i++) {
                AtOnce.run(
                        () -> assertFails(() -> fresh.queue("work").produce(NewItem.of("x")), NETWORK_TIMEOUT),
                        () -> assertFails(() -> fresh.queue("work").lease(request(TIMEOUT)), NETWORK_TIMEOUT));
            }
            proxy.cut();
            await(() -> isProduced(fresh, "after"));
        }
        assertThat(times("after")).isPositive();
    }

    private static boolean isProduced(PostgresQueues node, String text) {
        try {
            node.queue("work").produce(NewItem.of(text));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private boolean isCompleted(LeasedBatch batch) {
        try {
            queue.complete(batch);
            return true;
        } catch (QueueException e) {
            assertThat(e.code()).isIn(SERVICE_UNAVAILABLE, PARTITION_UNAVAILABLE);
            return false;
        }
    }

    @Test
    void an_item_whose_acknowledgement_was_lost_is_there_once() {
        String lost = loseReply(text -> queue.produce(NewItem.of(text)), text -> times(text) == 1);
        assertThat(times(lost)).isLessThanOrEqualTo(1);
    }

    @Test
    void a_complete_whose_acknowledgement_was_lost_was_carried_out() {
        LeasedBatch held = lease();
        loseReply(text -> queue.complete(held), text -> times("before") == 0);
        assertFails(() -> queue.complete(held), NO_SUCH_ITEM);
        assertThat(times("before")).isZero();
    }

    /**
     * Calls until the database has carried out one whose reply was lost, and has the network work again. A call that meets a lane
     * which has to connect first, because the sweep has the others, never gets so far.
     */
    private String loseReply(Consumer<String> call, Predicate<String> carriedOut) {
        for (int i = 0; ; i++) {
            String text = "lost" + i;
            connectAllLanes();
            proxy.faults().swallowReplies();
            assertFails(() -> call.accept(text), NETWORK_TIMEOUT);
            boolean done = carriedOut.test(text);
            proxy.cut();
            assertWorksAgain();
            if (done) {
                return text;
            }
        }
    }

    @Test
    void items_whose_lease_was_lost_on_the_way_come_when_it_ends() {
        queues.update(QueueUpdate.to(QueueConfig.named("work").leaseTimeout(TIMEOUT)));
        connectAllLanes();
        proxy.faults().swallowReplies();
        var waiting = queue.leaseAsync(request(Duration.ofMinutes(2)));
        await(() -> items("is_leased") == 1);
        assertThat(waiting).isNotDone();
        proxy.cut();
        assertThat(texts(TestWaits.get(waiting))).containsExactly("before");
    }

    /** So that whichever carries the next call has nothing to ask before. */
    private void connectAllLanes() {
        CompletableFuture.allOf(
                        Stream.generate(queue.admin()::statsAsync).limit(16).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    @Test
    void a_read_only_database_is_unavailable() {
        PGSimpleDataSource readOnly = throughProxy();
        readOnly.setOptions("-c default_transaction_read_only=on");
        LeasedBatch held = lease();
        produce(queue, "ready");
        try (PostgresQueues standby =
                PostgresQueues.builder(readOnly).timeout(TIMEOUT).build()) {
            ItemQueue there = standby.queue("work");
            assertFails(() -> there.produce(NewItem.of("x")), SERVICE_UNAVAILABLE);
            assertFails(() -> there.complete(held), SERVICE_UNAVAILABLE, PARTITION_UNAVAILABLE);
            await(() -> there.admin().list(ItemListing.of(0)).size() == 2);
            AtOnce.run(IntStream.range(0, 10)
                    .mapToObj(i -> Duration.ofMillis(20 + 50 * i))
                    .map(moment -> (ThrowingCallable)
                            () -> assertFails(() -> there.lease(request(moment)), PARTITION_UNAVAILABLE))
                    .toArray(ThrowingCallable[]::new));
        }
    }

    @Test
    void a_pool_without_a_free_connection_limits_the_rate_and_leaves_nobody_with_an_empty_lease() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(600_000);
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresQueues late =
                        PostgresQueues.builder(pool).timeout(TIMEOUT).build()) {
            ItemQueue there = late.queue("work");
            try (Connection only = pool.getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                AtOnce.run(
                        () -> assertFails(() -> late.info("work"), RATE_LIMITED, NETWORK_TIMEOUT),
                        () -> assertFails(() -> there.produce(NewItem.of("x")), RATE_LIMITED, NETWORK_TIMEOUT),
                        () -> assertFails(() -> there.lease(request(TIMEOUT)), RATE_LIMITED, NETWORK_TIMEOUT));
            }
            await(() -> isProduced(late, "after"));
        }
    }

    @Test
    void a_pool_that_has_run_dry_does_not_look_like_a_queue_that_has() {
        DryingPool pool = new DryingPool(throughProxy());
        try (PostgresQueues late =
                PostgresQueues.builder(pool.dataSource()).timeout(TIMEOUT).build()) {
            ItemQueue there = late.queue("work");
            there.complete(there.lease(request(TestWaits.LIMIT)));
            pool.dry();
            proxy.cut();
            try (PostgresQueues elsewhere = PostgresQueues.create(direct)) {
                produce(elsewhere.queue("work"), "there");
            }
            for (int i = 1; i <= 5; i++) {
                Duration time = Duration.ofMillis(100L * i);
                assertFails(
                        () -> {
                            throw new AssertionError("it leased " + texts(there.lease(request(time))));
                        },
                        PARTITION_UNAVAILABLE);
            }
            pool.isDry.set(false);
            assertThat(texts(there.lease(request(TestWaits.LIMIT)))).containsExactly("there");
        }
    }

    /** A pool that can be told to have no connection left. */
    private record DryingPool(DataSource full, AtomicBoolean isDry, AtomicInteger opening) {
        DryingPool(DataSource full) {
            this(full, new AtomicBoolean(), new AtomicInteger());
        }

        DataSource dataSource() {
            return (DataSource) Proxy.newProxyInstance(
                    QueueOutageTest.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, args) -> open(method, args));
        }

        private Object open(Method method, Object[] args) throws Exception {
            opening.incrementAndGet();
            try {
                if (isDry.get()) {
                    throw new SQLTransientConnectionException("no connection is available");
                }
                return method.invoke(full, args);
            } finally {
                opening.decrementAndGet();
            }
        }

        /** Returns when nobody gets a connection any more. */
        void dry() {
            isDry.set(true);
            await(() -> opening.get() == 0);
        }
    }

    private void terminateBackends() {
        Db.execute(
                direct,
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and application_name = '"
                        + direct.getCurrentSchema() + "'");
    }

    @Test
    void backends_that_are_terminated_are_replaced() {
        for (int i = 0; i < 3; i++) {
            var waiting = i == 0 ? null : park(Duration.ofMinutes(2));
            terminateBackends();
            if (waiting != null) {
                await(() -> isProduced(queues, "again"));
                await(() -> isCompleted(
                        waiting.join())); // each lane has lost its connection, and may still have to find out
            }
            assertWorksAgain();
        }
    }

    @Test
    void a_table_that_somebody_has_locked_takes_no_other_queue_along() throws Exception {
        queues.create(OTHER);
        ItemQueue other = queues.queue("other");
        produce(other, "a");
        LeasedBatch held = lease();
        try (Connection vacuum = Db.transaction(direct)) {
            Db.execute(vacuum, "lock table \"" + QueueTables.items(QueueHash.of("work"), 0) + "\"");
            assertFails(() -> queue.complete(held), NETWORK_TIMEOUT);
            TestWaits.await()
                    .ignoreExceptions()
                    .until(
                            () -> { // a busy machine may be slower than the timeout
                                produce(other, "b");
                                return true;
                            });
            TestWaits.await()
                    .ignoreExceptions()
                    .until(() -> texts(other.lease(request(TestWaits.LIMIT))).containsAll(List.of("a", "b")));
        }
        assertWorksAgain();
    }
}
