package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.PostgresLeasehold;
import dev.leasehold.queue.Codec;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A handler's writes, its item's completion and what it produces commit together or not at all. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class ConsumeInTransactionTest {
    private static final ConsumeOptions AT_ONCE = ConsumeOptions.DEFAULT.retry(RetryRules.fixed(Duration.ZERO));

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final List<String> attempts = new CopyOnWriteArrayList<>();
    private Leasehold leasehold;
    private Queue<String> orders;
    private Queue<String> receipts;

    @BeforeEach
    void open() {
        leasehold = PostgresLeasehold.connect(dataSource);
        leasehold.migrate();
        orders = leasehold.queues().declare(QueueConfig.named("orders").maxAttempts(3), Codec.text());
        receipts = leasehold.queues().declare(QueueConfig.named("receipts"), Codec.text());
        Db.execute(dataSource, "create table ledger (entry text)");
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    private void post(Connection connection, String entry) throws SQLException {
        Db.execute(connection, "insert into ledger values ('" + entry + "')");
        receipts.produce(connection, "receipt for " + entry);
    }

    private long entries() {
        return Db.number(dataSource, "select count(*) from ledger");
    }

    private static List<String> texts(ItemQueue queue) {
        return queue.admin().list(ItemListing.of(0)).stream()
                .map(item -> new String(item.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void effects_completions_and_further_items_commit_together() {
        List<String> all = IntStream.range(0, 100).mapToObj(i -> "order " + i).toList();
        orders.produceAll(all);
        try (Consumer consumer = orders.consumeInTransaction(
                ConsumeOptions.DEFAULT.concurrency(4), (connection, work) -> post(connection, work.payload()))) {
            TestWaits.await().until(() -> entries() == 100);
            TestWaits.await().until(() -> texts(orders.items()).isEmpty());
            assertThat(consumer.isClosed()).isFalse();
        }
        assertThat(Db.number(dataSource, "select count(distinct entry) from ledger"))
                .isEqualTo(100);
        assertThat(texts(receipts.items())).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void a_handler_that_throws_leaves_nothing_behind_and_its_item_is_retried() {
        orders.produce("tea");
        try (Consumer consumer = orders.consumeInTransaction(AT_ONCE, (connection, work) -> {
            attempts.add(work.payload());
            post(connection, work.payload());
            if (work.attempts() < 3) {
                throw new IllegalStateException("not yet");
            }
        })) {
            TestWaits.await().until(() -> texts(orders.items()).isEmpty());
            assertThat(consumer.isClosed()).isFalse();
        }
        assertThat(attempts).hasSize(3);
        assertThat(entries()).isEqualTo(1);
        assertThat(texts(receipts.items())).containsExactly("receipt for tea");
    }

    @Test
    void a_handler_that_retries_or_buries_its_item_leaves_nothing_behind() {
        orders.produceAll(List.of("later", "never"));
        try (Consumer consumer = orders.consumeInTransaction((connection, work) -> {
            post(connection, work.payload());
            if (work.payload().equals("later")) {
                work.retryAfter(Duration.ofHours(1));
            } else {
                work.bury("nobody wants it");
            }
        })) {
            ItemQueue dead = leasehold.queues().queue("orders-dead");
            TestWaits.await().until(() -> texts(dead).equals(List.of("never")));
            TestWaits.await()
                    .until(() -> orders.items()
                                    .admin()
                                    .listScheduled(ItemListing.of(0))
                                    .size()
                            == 1);
            assertThat(consumer.isClosed()).isFalse();
        }
        assertThat(entries()).isZero();
        assertThat(texts(receipts.items())).isEmpty();
    }

    @Test
    void a_handler_whose_lease_was_lost_does_not_commit() {
        orders.produce("tea");
        try (Consumer consumer = orders.consumeInTransaction(AT_ONCE, (connection, work) -> {
            attempts.add(work.payload());
            post(connection, work.payload());
            if (attempts.size() == 1) {
                orders.items()
                        .giveBack(0, List.of(work.item().id())); // as if the lease had ended: it has another id now
            }
        })) {
            TestWaits.await().until(() -> texts(orders.items()).isEmpty() && entries() == 1);
            assertThat(consumer.isClosed()).isFalse();
        }
        assertThat(texts(receipts.items())).containsExactly("receipt for tea");
    }

    @Test
    void the_connection_goes_back_as_it_came_and_a_handler_that_commits_itself_is_found_out() {
        orders.produce("tea");
        try (Consumer consumer = orders.consumeInTransaction(AT_ONCE, (connection, work) -> {
            attempts.add(work.payload() + " " + connection.getAutoCommit());
            connection.setAutoCommit(true);
        })) {
            TestWaits.await()
                    .until(() -> texts(leasehold.queues().queue("orders-dead")).equals(List.of("tea")));
            assertThat(consumer.isClosed()).isFalse();
        }
        assertThat(attempts).containsExactly("tea false", "tea false", "tea false");
    }
}
