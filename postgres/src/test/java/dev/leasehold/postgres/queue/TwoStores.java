package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What tests of two stores share: a near one, which has the records, and a far one behind a faulty proxy. */
@Timeout(TestWaits.TEST_LIMIT)
abstract class TwoStores {
    /** The first partition of the queue "work" that lies in the far store; those before lie in the near one. */
    static final int FAR = 2;

    /** How long a call may take. */
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    final PGSimpleDataSource near = TestPostgres.newSchema();
    final PGSimpleDataSource far = TestPostgres.newSchema();
    final Proxy proxy = Proxy.before(far);
    private final AtomicInteger clients = new AtomicInteger();
    PostgresQueues queues;
    PostgresQueue queue;

    @BeforeEach
    final void open() {
        QueueSchema.create(near);
        QueueSchema.create(far);
        try (PostgresQueues founder = node(TestWaits.LIMIT)) {
            founder.create(QueueConfig.named("dead"));
            founder.create(config());
        }
        queues = node();
        queue = queues.queue("work");
    }

    @AfterEach
    final void close() {
        queues.close();
        proxy.close();
        for (PGSimpleDataSource store : List.of(near, far)) {
            Db.execute(TestPostgres.dataSource(), "drop schema " + store.getCurrentSchema() + " cascade");
        }
    }

    final PostgresQueues node() {
        return node(TIMEOUT);
    }

    private PostgresQueues node(Duration timeout) {
        return PostgresQueues.builder()
                .store("near", 1, near)
                .store("far", 1, proxy.through(far))
                .timeout(timeout)
                .options(options -> options.lookInterval(Duration.ofMillis(200)))
                .build();
    }

    static QueueConfig config() {
        return QueueConfig.named("work").partitions(2 * FAR).deadQueue("dead");
    }

    final LeaseRequest request(Duration timeout) {
        return LeaseRequest.of("client" + clients.incrementAndGet(), 1000).timeout(timeout);
    }

    /** Has an item in the far store, and leases it. */
    final LeasedBatch leaseFrom(int partition) {
        int left = 1;
        while (queue.produce(NewItem.of("far")).partition() < partition) { // the emptiest takes turns
            left++;
        }
        LeasedBatch batch = queue.lease(request(TestWaits.LIMIT));
        left -= batch.items().size();
        while (batch.partition() < partition) {
            batch = queue.lease(request(TestWaits.LIMIT));
            left -= batch.items().size();
        }
        leaseAll(left);
        return batch;
    }

    /** Leases what is there, of every partition, and no more. */
    final List<String> leaseAll(int count) {
        List<String> all = new ArrayList<>();
        while (all.size() < count) {
            all.addAll(texts(queue.lease(request(TestWaits.LIMIT))));
        }
        try {
            all.addAll(texts(queue.lease(request(Duration.ofMillis(100)))));
        } catch (QueueException e) {
            // a store is away, and so nobody can say that this is all there is
        }
        return all;
    }

    /** Waits until this node has noticed that the far store is away. */
    final void awaitFailing() {
        await(() -> !succeeds(() -> queue.lease(request(Duration.ofMillis(20)))));
    }

    static boolean succeeds(Runnable work) {
        try {
            work.run();
            return true;
        } catch (QueueException | AssertionError e) {
            return false;
        }
    }

    static void await(Callable<Boolean> condition) {
        TestWaits.await().until(condition);
    }

    static LeasedBatch soon(CompletableFuture<LeasedBatch> waiting) {
        return TestWaits.get(waiting);
    }

    static List<String> texts(LeasedBatch batch) {
        return batch.items().stream().map(LeasedItem::text).toList();
    }

    static String table(String queue, int partition) {
        return '"' + QueueTables.items(QueueHash.of(queue), partition) + '"';
    }

    /** How many tables of the queue "work" there are in a store. */
    static long tables(PGSimpleDataSource store) {
        return Db.number(
                store,
                "select count(*) from pg_tables where schemaname = current_schema and tablename like 'items\\_"
                        + QueueHash.of("work").replace("_", "\\_") + "\\_%'");
    }

    static long records(PGSimpleDataSource store, String queue) {
        return Db.number(store, "select count(*) from queues where name = '" + queue + "'");
    }

    static long version(PGSimpleDataSource store) {
        long version = Db.number(store, "select version from queues where name = 'work'");
        assertThat(version).isPositive();
        return version;
    }
}
