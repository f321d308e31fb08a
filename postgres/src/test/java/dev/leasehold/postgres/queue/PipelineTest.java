package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Money goes from one table to another through a queue, with leases that end at random and transactions that fail at random. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class PipelineTest {
    private static final int COINS = 300;
    private static final int WORKERS = 4;
    private static final Duration LEASE = Duration.ofHours(1);
    private final TestClock clock = new TestClock();
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final AtomicInteger lost = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    private PostgresQueues one;
    private PostgresQueues two;

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        Db.execute(
                dataSource,
                "create table debit (coin int primary key); create table credit (coin int);"
                        + " insert into debit select generate_series(1, " + COINS + ")");
        one = node();
        two = node();
        one.create(QueueConfig.named("coins").leaseTimeout(LEASE));
        one.create(QueueConfig.named("receipts"));
    }

    private PostgresQueues node() {
        return PostgresQueues.builder(dataSource)
                .connections(2)
                .testClock(clock)
                .options(options -> options.lookInterval(Duration.ofMillis(20)))
                .build();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        one.close();
        two.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    @Test
    void every_coin_arrives_once_with_one_receipt() throws Exception {
        List<NewItem> coins = new ArrayList<>();
        for (int i = 1; i <= COINS; i++) {
            coins.add(NewItem.of(Integer.toString(i)));
        }
        one.queue("coins").produce(coins.toArray(new NewItem[0]));
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            int seed = i;
            workers.add(CompletableFuture.runAsync(() -> work(nodeOf(seed), seed), threads));
        }
        for (CompletableFuture<Void> worker : workers) {
            worker.get(TestWaits.TEST_LIMIT, TimeUnit.SECONDS);
        }
        assertThat(Db.number(dataSource, "select count(*) from debit")).isZero();
        assertThat(Db.number(dataSource, "select count(distinct coin) from credit"))
                .isEqualTo(COINS);
        assertThat(Db.number(dataSource, "select count(*) from credit")).isEqualTo(COINS);
        assertThat(one.queue("receipts").list(ItemListing.of(0)))
                .extracting(item -> new String(item.payload(), StandardCharsets.UTF_8))
                .hasSize(COINS)
                .doesNotHaveDuplicates();
        assertThat(one.queue("coins").list(ItemListing.of(0))).isEmpty();
        assertThat(lost.get()).as("leases that were lost").isPositive();
    }

    private PostgresQueues nodeOf(int seed) {
        return seed % 2 == 0 ? one : two;
    }

    private void work(PostgresQueues node, int seed) {
        Random random = new Random(seed);
        PostgresQueue coins = node.queue("coins");
        try (Connection connection = Db.transaction(dataSource)) {
            while (Db.number(connection, "select count(*) from debit") > 0) {
                connection.commit();
                LeasedBatch batch = coins.lease(LeaseRequest.of("worker " + seed, 1 + random.nextInt(10))
                        .timeout(Duration.ofMillis(100)));
                if (!batch.isEmpty()) {
                    move(connection, node, batch, random);
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Two who have the same coins, because a lease has ended, must not wait for each other in a circle. */
    private static List<LeasedItem> inOrder(LeasedBatch batch) {
        return batch.items().stream()
                .sorted(Comparator.comparingInt(coin -> Integer.parseInt(coin.text())))
                .toList();
    }

    /** One transaction: the coins move, a receipt is made of each, and they are done; or all of that is rolled back. */
    private void move(Connection connection, PostgresQueues node, LeasedBatch batch, Random random)
            throws SQLException {
        try {
            int luck = random.nextInt(10);
            for (LeasedItem coin : inOrder(batch)) {
                Db.execute(connection, "delete from debit where coin = " + coin.text());
                Db.execute(connection, "insert into credit values (" + coin.text() + ")");
                node.queue("receipts").produce(connection, NewItem.of("receipt " + coin.text()));
            }
            if (luck == 0) {
                clock.advance(LEASE.plusSeconds(1)); // every lease ends, this one too
                TestWaits.await().until(() -> isSwept(node, batch));
            }
            node.queue("coins").complete(connection, batch.partition(), batch.ids());
            if (luck == 1) {
                connection.rollback();
                giveBack(node, batch);
            } else {
                connection.commit();
            }
        } catch (QueueException e) {
            lost.incrementAndGet();
            connection.rollback();
            giveBack(node, batch);
        }
    }

    /** What is still leased comes back at once: the clock moves only now and then, and nobody might be left to move it. */
    private static void giveBack(PostgresQueues node, LeasedBatch batch) {
        for (ItemId id : batch.ids()) {
            try {
                node.queue("coins").giveBack(batch.partition(), List.of(id));
            } catch (QueueException e) {
                assertThat(e.code()).isIn(QueueErrorCode.NO_SUCH_ITEM, QueueErrorCode.NOT_LEASED);
            }
        }
    }

    /** Whether the items of an ended lease have been given new ids. */
    private static boolean isSwept(PostgresQueues node, LeasedBatch batch) {
        return node.queue("coins").list(ItemListing.of(batch.partition())).stream()
                .noneMatch(item -> batch.ids().contains(item.id()));
    }
}
