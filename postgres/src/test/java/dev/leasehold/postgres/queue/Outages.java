package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What tests of a database in trouble share: a node behind a faulty proxy, with a queue at work. */
@Timeout(TestWaits.TEST_LIMIT)
abstract class Outages {
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    final PGSimpleDataSource direct = TestPostgres.newSchema();
    final Proxy proxy = Proxy.before(direct);
    private final AtomicInteger clients = new AtomicInteger();
    PostgresQueues queues;
    PostgresQueue queue;

    @BeforeEach
    final void open() {
        QueueSchema.create(direct);
        try (PostgresQueues founder = PostgresQueues.create(direct)) {
            founder.create(QueueConfig.named("work"));
            founder.queue("work").produce(NewItem.of("before"));
        }
        queues = PostgresQueues.builder(throughProxy()).timeout(TIMEOUT).build();
        queue = queues.queue("work");
    }

    @AfterEach
    final void close() {
        queues.close();
        proxy.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + direct.getCurrentSchema() + " cascade");
    }

    final PGSimpleDataSource throughProxy() {
        PGSimpleDataSource dataSource = proxy.through(direct);
        dataSource.setApplicationName(direct.getCurrentSchema());
        return dataSource;
    }

    final LeaseRequest request(Duration timeout) {
        return LeaseRequest.of("client" + clients.incrementAndGet(), 1000).timeout(timeout);
    }

    final LeasedBatch lease() {
        LeasedBatch batch = queue.lease(request(TestWaits.LIMIT));
        assertThat(batch.items()).isNotEmpty();
        return batch;
    }

    /** Has a lease request wait at the queue; returns when it stands there and the store has said that there is nothing. */
    final CompletableFuture<LeasedBatch> park(Duration timeout) {
        CompletableFuture<LeasedBatch> waiting = queue.leaseAsync(request(timeout));
        await(() -> queue.stats().leaseWaiting() == 1);
        assertThat(waiting).isNotDone();
        return waiting;
    }

    /** Fails with one of these codes, and does not hang. */
    static void assertFails(ThrowingCallable call, QueueErrorCode... codes) {
        long start = System.nanoTime();
        QueueException error = catchThrowableOfType(QueueException.class, call);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(error).as("failed").isNotNull();
        assertThat(error.code()).as(error.getMessage()).isIn((Object[]) codes);
        assertThat(took).as(error.getMessage()).isLessThan(TestWaits.LIMIT);
    }

    final void assertWorksAgain() {
        TestWaits.await().ignoreExceptions().until(() -> {
            queue.produce(NewItem.of("again"));
            queue.complete(lease());
            return true;
        });
    }

    static void await(Callable<Boolean> condition) {
        TestWaits.await().ignoreExceptionsInstanceOf(QueueException.class).until(condition);
    }

    /** How many items there are in the database of which the condition is true. */
    final long items(String condition) {
        String table = QueueTables.items(QueueHash.of("work"), 0);
        return Db.number(direct, "select count(*) from \"" + table + "\" where " + condition);
    }

    /** How often an item of this text is in the database. */
    final long times(String text) {
        return items("payload = convert_to('" + text + "', 'UTF8')");
    }

    static List<String> texts(LeasedBatch batch) {
        return batch.items().stream().map(LeasedItem::text).toList();
    }

    static NewItem item(Object text) {
        return NewItem.of(String.valueOf(text));
    }

    static void produce(ItemQueue queue, String... texts) {
        for (String text : texts) {
            queue.produce(NewItem.of(text));
        }
    }
}
