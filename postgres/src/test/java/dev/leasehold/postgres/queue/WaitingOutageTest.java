package dev.leasehold.postgres.queue;

import static dev.leasehold.queue.QueueErrorCode.NETWORK_TIMEOUT;
import static dev.leasehold.queue.QueueErrorCode.PARTITION_UNAVAILABLE;
import static dev.leasehold.queue.QueueErrorCode.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.AtOnce;
import dev.leasehold.postgres.Db;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who waits when the database goes away still waits when it is back; who ran out of time meanwhile is told why. */
@Tag("slow")
class WaitingOutageTest extends Outages {
    private static final Duration LONG = Duration.ofMinutes(2);

    @BeforeEach
    void empty() {
        queue.complete(lease());
    }

    private static LeasedBatch soon(CompletableFuture<LeasedBatch> waiting) {
        return TestWaits.get(waiting);
    }

    /** Something that another node has put in while this one could not see it. */
    private void produceElsewhere(String text) {
        try (PostgresQueues elsewhere = PostgresQueues.create(direct)) {
            produce(elsewhere.queue("work"), text);
        }
    }

    @Test
    void a_lease_that_waits_outlives_a_database_that_is_down() {
        var waiting = park(LONG);
        proxy.down();
        produceElsewhere("meanwhile");
        assertThat(waiting).isNotDone();
        proxy.up();
        assertThat(texts(soon(waiting))).containsExactly("meanwhile");
    }

    @Test
    void a_lease_that_waits_outlives_a_database_that_is_silent() {
        var waiting = park(LONG);
        proxy.faults().blackHole();
        produceElsewhere("meanwhile");
        assertFails(() -> queue.stats(), NETWORK_TIMEOUT, PARTITION_UNAVAILABLE);
        assertThat(waiting).isNotDone();
        proxy.cut();
        assertThat(texts(soon(waiting))).containsExactly("meanwhile");
    }

    @Test
    void a_lease_that_comes_while_the_database_is_down_gets_what_is_there_when_it_is_back() {
        proxy.down();
        produceElsewhere("there");
        var waiting = queue.leaseAsync(request(LONG));
        assertFails(() -> queue.lease(request(TIMEOUT)), PARTITION_UNAVAILABLE);
        proxy.up();
        assertThat(texts(soon(waiting))).containsExactly("there");
    }

    @Test
    void a_lease_that_waited_in_vain_while_the_database_was_down_is_not_told_that_there_was_nothing() {
        proxy.down();
        produceElsewhere("there");
        assertAllFail(Duration.ofMillis(20), Duration.ofMillis(300), TIMEOUT);
    }

    @Test
    void a_lease_that_waited_in_vain_while_the_database_was_silent_is_not_told_that_there_was_nothing() {
        proxy.faults().blackHole();
        produceElsewhere("there");
        assertAllFail(Duration.ofMillis(20), Duration.ofMillis(300), TIMEOUT);
    }

    private void assertAllFail(Duration... times) {
        AtOnce.run(Stream.of(times)
                .map(time ->
                        (ThrowingCallable) () -> assertFails(() -> queue.lease(request(time)), PARTITION_UNAVAILABLE))
                .toArray(ThrowingCallable[]::new));
    }

    @Test
    void a_lease_that_began_to_wait_in_better_times_is_told_of_the_trouble_at_its_end() {
        var waiting = park(TIMEOUT);
        proxy.down();
        produceElsewhere("there");
        assertFails(() -> join(waiting), PARTITION_UNAVAILABLE);
    }

    private static void join(CompletableFuture<?> future) {
        try {
            future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof QueueException known ? known : e;
        }
    }

    @Test
    void what_was_acknowledged_between_cuts_is_there_and_nothing_is_there_twice() throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicBoolean enough = new AtomicBoolean();
        var producers = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> produceUntil(enough, i, acknowledged)))
                .toList();
        for (int i = 1; i <= 10; i++) {
            int some = acknowledged.size() + 20;
            await(() -> acknowledged.size() > some);
            proxy.cut();
        }
        enough.set(true);
        producers.forEach(CompletableFuture::join);
        assertThat(Db.number(direct, "select count(*) - count(distinct payload) from " + table()))
                .as("items that are there twice")
                .isZero();
        assertThat(stored()).containsAll(acknowledged);
    }

    private void produceUntil(AtomicBoolean enough, int producer, Set<String> acknowledged) {
        for (int n = 0; !enough.get(); n++) {
            String text = producer + "/" + n;
            try {
                queue.produce(NewItem.of(text));
                acknowledged.add(text);
            } catch (QueueException e) {
                assertThat(e.code()).as(e.getMessage()).isIn(SERVICE_UNAVAILABLE, PARTITION_UNAVAILABLE);
            }
        }
    }

    private Set<String> stored() throws SQLException {
        Set<String> texts = new HashSet<>();
        try (Connection connection = direct.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select convert_from(payload, 'UTF8') from " + table())) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private static String table() {
        return '"' + QueueTables.items(QueueHash.of("work"), 0) + '"';
    }

    @Test
    void consumers_go_on_by_themselves_after_every_sort_of_outage() {
        queues.update(QueueUpdate.to(QueueConfig.named("work").leaseTimeout(Duration.ofSeconds(2))));
        Set<String> handled = ConcurrentHashMap.newKeySet();
        try (Consumer consumer = queue.consume(ConsumeOptions.DEFAULT.concurrency(4), note(handled))) {
            outage(handled, "down", proxy::down, proxy::up);
            outage(handled, "silent", () -> proxy.faults().blackHole(), proxy::cut);
            outage(handled, "deaf", () -> proxy.faults().swallowReplies(), proxy::cut);
            outage(handled, "cut", () -> {}, proxy::cut);
            assertThat(consumer.isClosed()).isFalse();
        }
    }

    private static Handler<LeasedItem> note(Set<String> handled) {
        return work -> handled.add(work.item().text());
    }

    /** Some items before the outage, some during it, some after it: all are handled, and none is left. */
    private void outage(Set<String> handled, String name, Runnable begin, Runnable end) {
        try (PostgresQueues elsewhere = PostgresQueues.create(direct)) {
            ItemQueue work = elsewhere.queue("work");
            produce(work, name + "1", name + "2");
            await(() -> handled.contains(name + "2"));
            begin.run();
            produce(work, name + "3", name + "4");
            end.run();
            produce(work, name + "5", name + "6");
            await(() -> IntStream.rangeClosed(1, 6).allMatch(i -> handled.contains(name + i)));
            await(() -> items("true") == 0);
        }
    }
}
