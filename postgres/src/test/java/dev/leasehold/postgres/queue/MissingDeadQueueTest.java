package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The dead queue of a queue is not there, which no call of ours leaves behind: somebody has deleted its row. What should become a dead
 * letter stays where it is, and everything else goes on.
 */
@Timeout(TestWaits.TEST_LIMIT)
class MissingDeadQueueTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final TestClock clock = new TestClock();
    private final List<PostgresQueues> nodes = new ArrayList<>();
    private PostgresQueues node;
    private ItemQueue queue;

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        node = node();
        node.create(QueueConfig.named("dead"));
        node.create(QueueConfig.named("work")
                .leaseTimeout(LEASE)
                .expireTimeout(Duration.ofHours(1))
                .maxAttempts(2)
                .deadQueue("dead"));
        queue = node.queue("work");
    }

    private PostgresQueues node() {
        PostgresQueues fresh = PostgresQueues.builder(dataSource)
                .testClock(clock)
                .options(options -> options.lookInterval(Duration.ofMillis(50)))
                .build();
        nodes.add(fresh);
        return fresh;
    }

    @AfterEach
    void close() {
        nodes.forEach(PostgresQueues::close);
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private void removeDeadQueue() {
        Db.execute(dataSource, "delete from queues where name = 'dead'");
    }

    private LeasedItem lease(String text) {
        LeasedItem item = queue.lease(LeaseRequest.of("me " + text, 1)).items().get(0);
        assertThat(item.text()).isEqualTo(text);
        return item;
    }

    private void outliveLease() {
        clock.advance(LEASE.plusSeconds(1));
    }

    private List<String> ready() {
        return queue.admin().list(ItemListing.of(0)).stream()
                .filter(item -> !item.isLeased())
                .map(MissingDeadQueueTest::text)
                .toList();
    }

    private static String text(StoredItem item) {
        return new String(item.payload(), StandardCharsets.UTF_8);
    }

    @Test
    void leases_that_end_are_swept_and_what_has_had_its_attempts_stays_where_it_is() {
        queue.produce(NewItem.of("dying"));
        lease("dying");
        outliveLease();
        lease("dying");
        queue.produce(NewItem.of("live"));
        lease("live");
        removeDeadQueue();
        outliveLease();

        assertThat(lease("live").attempts()).isEqualTo(2);
        outliveLease();
        assertThat(queue.lease(LeaseRequest.of("me", 2).timeout(Duration.ofMillis(500)))
                        .items())
                .as("beyond the last attempt")
                .isEmpty();
        assertThat(queue.admin().list(ItemListing.of(0)))
                .extracting(MissingDeadQueueTest::text)
                .containsExactly("dying", "live");
        node.create(QueueConfig.named("dead"));
        TestWaits.await().until(() -> node.queue("dead").list(ItemListing.of(0)).size() == 2);
        assertThat(queue.admin().list(ItemListing.of(0))).isEmpty();
    }

    @Test
    void a_thousand_items_that_stay_do_not_hold_up_the_others() {
        queue.produce(NewItem.of("dying"));
        lease("dying");
        outliveLease();
        lease("dying");
        String items = QueueTables.quoted(QueueTables.items(QueueHash.of("work"), 0));
        Db.execute(
                dataSource,
                "insert into " + items + " (expire_deadline, created_at, is_leased, lease_deadline, attempts, payload)"
                        + " select expire_deadline, created_at, true, lease_deadline, 2, ''"
                        + " from " + items + ", generate_series(1, 1500)");
        removeDeadQueue();
        outliveLease();
        queue.produce(NewItem.of("live"));
        lease("live");
        outliveLease();
        assertThat(lease("live").attempts()).isEqualTo(2);
    }

    @Test
    void ready_items_whose_time_is_over_stay_and_are_not_handed_out() {
        queue.produce(NewItem.of("old"));
        removeDeadQueue();
        clock.advance(Duration.ofHours(2));
        queue.produce(NewItem.of("young"));
        lease("young");
        assertThat(ready()).containsExactly("old");
    }

    @Test
    void retries_go_on_and_the_last_of_an_item_leaves_it_where_it_is() {
        queue.produce(NewItem.of("a"), NewItem.of("b"));
        LeasedItem a = lease("a");
        LeasedItem b = lease("b");
        removeDeadQueue();
        queue.retry(0, List.of(RetryItem.now(a.id()), RetryItem.dead(b.id())));
        assertThat(lease("a").attempts()).isEqualTo(2);
        assertThat(queue.admin().list(ItemListing.of(0))).hasSize(2);
        outliveLease();
        assertThat(lease("b").attempts()).as("whose lease has ended").isEqualTo(2);
    }

    @Test
    void what_stays_where_it_is_does_not_count_as_discarded() {
        queue.produce(NewItem.of("a"), NewItem.of("b"));
        LeasedItem a = lease("a");
        LeasedItem b = lease("b");
        removeDeadQueue();
        queue.retry(0, List.of(RetryItem.dead(a.id()), RetryItem.dead(b.id())));
        assertThat(queue.admin().list(ItemListing.of(0))).hasSize(2);
        assertThat(node.discarded()).isEmpty();
    }

    @Test
    void a_queue_that_is_missed_as_a_dead_queue_cannot_be_created_with_one_of_its_own() {
        node.create(QueueConfig.named("other"));
        removeDeadQueue();
        assertThatThrownBy(() -> node.create(QueueConfig.named("dead").deadQueue("other")))
                .isInstanceOf(QueueException.class)
                .hasMessage("dead_queue is invalid; 'dead' is itself the dead_queue of 'work'");
    }

    @Test
    void consumers_go_on() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        removeDeadQueue();
        queue.produce(NewItem.of("fails"));
        try (Consumer consumer = queue.consume(ConsumeOptions.DEFAULT, work -> {
            LeasedItem item = work.item();
            seen.add(item.text() + " " + item.attempts());
            if (item.text().equals("fails")) {
                throw new IllegalStateException("as expected");
            }
        })) {
            TestWaits.await().until(() -> seen.contains("fails 1"));
            queue.produce(NewItem.of("works"));
            TestWaits.await().until(() -> seen.contains("works 1"));
            assertThat(consumer.isClosed()).isFalse();
        }
    }
}
