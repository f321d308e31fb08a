package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.ds.PGSimpleDataSource;

/** Who waits on one node is woken by what happens on another. Nobody looks by himself here: that would take ten minutes. */
@Timeout(240)
@Tag("slow")
class WakeUpTest {
    private static final Duration NEVER = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int HAND_OVERS = 20;

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final AtomicInteger clients = new AtomicInteger();
    private PostgresQueues here;
    private PostgresQueues there;

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        here = node();
        there = node();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private PostgresQueues node() {
        return PostgresQueues.builder(dataSource)
                .options(options -> options.lookInterval(NEVER))
                .build();
    }

    private CompletableFuture<LeasedBatch> park(ItemQueue queue) {
        var waiting = queue.leaseAsync(
                LeaseRequest.of("client" + clients.incrementAndGet(), 10).timeout(NEVER));
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> queue.admin().stats().leaseWaiting() == 1);
        return waiting;
    }

    private static LeasedBatch soon(CompletableFuture<LeasedBatch> waiting) {
        return waiting.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void an_item_produced_on_one_node_wakes_a_lease_on_another(int partitions) {
        here.create(QueueConfig.named("baton").partitions(partitions));
        ItemQueue from = here.queue("baton");
        ItemQueue to = there.queue("baton");
        for (int i = 0; i < HAND_OVERS; i++) {
            handOver(from, to);
        }
    }

    private void handOver(ItemQueue from, ItemQueue to) {
        var waiting = park(to);
        from.produce(NewItem.of("baton"));
        LeasedBatch batch = soon(waiting);
        assertThat(batch.items()).hasSize(1);
        to.complete(batch);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void the_first_lease_that_ever_waits_on_a_node_is_woken_too(int partitions) {
        here.create(QueueConfig.named("first").partitions(partitions));
        ItemQueue from = here.queue("first");
        from.admin().stats();
        for (int i = 0; i < 10; i++) {
            try (PostgresQueues fresh = node()) {
                fresh.queue("first").stats();
                var waiting = fresh.queue("first")
                        .leaseAsync(LeaseRequest.of("client", 1).timeout(NEVER));
                from.produce(NewItem.of("x"));
                fresh.queue("first").complete(soon(waiting));
            }
        }
    }

    @Test
    void a_lease_is_woken_after_its_listening_connection_was_lost() {
        here.create(QueueConfig.named("lost"));
        handOver(here.queue("lost"), there.queue("lost"));
        var waiting = park(there.queue("lost"));
        Db.execute(
                dataSource,
                "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen \"leasehold%'"
                        + " and application_name = current_setting('application_name')");
        here.queue("lost").produce(NewItem.of("x"));
        assertThat(soon(waiting).items()).hasSize(1);
    }

    @Test
    void retries_and_dead_letters_and_items_that_come_due_wake_other_nodes() {
        here.create(QueueConfig.named("dead"));
        here.create(QueueConfig.named("work").deadQueue("dead"));
        ItemQueue from = here.queue("work");
        ItemQueue to = there.queue("work");
        handOver(from, to);

        from.produce(NewItem.of("x"));
        LeasedBatch held = from.lease(LeaseRequest.of("c", 1));
        var again = park(to);
        from.retry(0, List.of(RetryItem.now(held.ids().get(0))));
        to.retry(0, List.of(RetryItem.at(soon(again).ids().get(0), When.after(Duration.ofMillis(200)))));

        LeasedBatch due = soon(park(from));
        var dead = park(there.queue("dead"));
        from.retry(0, List.of(RetryItem.dead(due.ids().get(0))));
        assertThat(soon(dead).items()).hasSize(1);
    }

    @Test
    void nobody_else_is_told_of_an_item_that_somebody_here_waits_for() throws SQLException {
        here.create(QueueConfig.named("local"));
        ItemQueue queue = here.queue("local");
        handOver(queue, queue);
        here.create(QueueConfig.named("marker"));
        try (Connection other = dataSource.getConnection()) {
            Db.execute(
                    other, "listen " + QueueTables.quoted("leasehold_" + QueueHash.of(QueueTables.DEFAULT.queues())));
            handOver(queue, queue);
            here.queue("marker").produce(NewItem.of("told after whatever was told of the other"));
            String all = "";
            while (!all.contains(uid("marker"))) {
                for (PGNotification heard : other.unwrap(PGConnection.class).getNotifications(0)) {
                    all += heard.getParameter();
                }
            }
            assertThat(all).doesNotContain(uid("local"));
        }
    }

    /** How a notification names the only partition of a queue. */
    private String uid(String queue) {
        return " " + Db.number(dataSource, "select uid from queues where name = '" + queue + "'") + ":0";
    }

    @Test
    void others_are_told_of_what_those_who_wait_here_leave() {
        here.create(QueueConfig.named("left"));
        handOver(here.queue("left"), there.queue("left"));
        var one = here.queue("left").leaseAsync(LeaseRequest.of("modest", 1).timeout(NEVER));
        var rest = there.queue("left").leaseAsync(LeaseRequest.of("patient", 10).timeout(NEVER));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> here.queue("left").stats().leaseWaiting()
                                + there.queue("left").stats().leaseWaiting()
                        == 2);
        here.queue("left").produce(NewItem.of("a"), NewItem.of("b"), NewItem.of("c"));
        assertThat(soon(one).items()).hasSize(1);
        assertThat(soon(rest).items()).hasSize(2);
    }

    @Test
    void nobody_is_told_that_there_is_nothing_before_the_store_was_asked_for_them() throws SQLException {
        here.create(QueueConfig.named("slow"));
        ItemQueue queue = here.queue("slow");
        queue.produce(NewItem.of("a"), NewItem.of("b"));
        try (Connection other = Db.transaction(dataSource)) {
            Db.execute(other, "lock table " + QueueTables.quoted(QueueTables.items(QueueHash.of("slow"), 0)));
            var first = queue.leaseAsync(LeaseRequest.of("first", 1).timeout(NEVER));
            var second = queue.leaseAsync(LeaseRequest.of("second", 1).timeout(Duration.ofMillis(50)));
            Awaitility.await().pollDelay(Duration.ofMillis(150)).until(() -> !first.isDone() && !second.isDone());
            other.rollback();
            assertThat(soon(first).items()).hasSize(1);
            assertThat(soon(second).items()).hasSize(1);
        }
    }

    /** As a sweep does which comes just after another one: it locks rows to find that there is nothing to do. */
    @Test
    void an_item_that_was_locked_for_a_moment_is_found_although_nobody_tells() throws SQLException {
        here.create(QueueConfig.named("locked"));
        ItemQueue queue = here.queue("locked");
        queue.produce(NewItem.of("x"));
        try (Connection other = dataSource.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    "select from " + QueueTables.quoted(QueueTables.items(QueueHash.of("locked"), 0)) + " for update");
            var waiting = park(queue);
            other.rollback();
            assertThat(soon(waiting).items()).hasSize(1);
        }
    }

    @Test
    void no_statement_that_changes_items_notifies_by_itself() throws IOException {
        for (String name : List.of(
                "produce", "lease", "complete", "complete_all", "retry", "extend", "sweep", "give_back", "import")) {
            try (InputStream file = Sql.class.getResourceAsStream("/dev/leasehold/postgres/queue/" + name + ".sql")) {
                assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                        .as(name)
                        .doesNotContainIgnoringCase("notify");
            }
        }
    }
}
