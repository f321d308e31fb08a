package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.postgres.AtOnce;
import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool gives no connection because the database is down: that is an outage, and not a matter of too many callers. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class PoolOfLostDatabaseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final AtomicBoolean isDown = new AtomicBoolean();
    private final AtomicInteger refusals = new AtomicInteger();
    private PGSimpleDataSource schema;
    private PostgresQueues queues;
    private volatile Duration poolTimeout = Duration.ofMillis(100);

    @BeforeEach
    void open() {
        schema = TestPostgres.newSchema();
        QueueSchema.create(schema);
        queues = PostgresQueues.builder(pool()).timeout(TIMEOUT).build();
        queues.create(QueueConfig.named("work"));
    }

    @AfterEach
    void close() {
        isDown.set(false);
        queues.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + schema.getCurrentSchema() + " cascade");
    }

    /** As HikariCP does: it tells why it could not connect once, to the first who asks, and to the others nothing. */
    private DataSource pool() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (isDown.get() && method.getName().equals("getConnection")) {
                        LockSupport.parkNanos(poolTimeout.toNanos());
                        throw refusal();
                    }
                    try {
                        return method.invoke(schema, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private SQLException refusal() {
        SQLTransientConnectionException refused = new SQLTransientConnectionException("pool - timed out");
        return (SQLException)
                (refusals.getAndIncrement() % 4 == 0
                        ? refused.initCause(new SQLException("Connection refused", "08001"))
                        : refused);
    }

    /** Returns when no backend is left: one ends when it next looks at its signals, and one may have been about to begin. */
    private void databaseGoesDown() {
        isDown.set(true);
        String terminate = "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = '"
                + schema.getCurrentSchema() + "'";
        TestWaits.await().until(() -> Db.number(TestPostgres.dataSource(), terminate) == 0);
    }

    private void assertUnavailable() {
        for (int i = 0; i < 3; i++) {
            AtOnce.run(this::produce, this::produce, this::produce, () -> assertOutage(() -> queues.info("work")));
        }
    }

    private void produce() {
        assertOutage(() -> queues.queue("work").produce(NewItem.of("x")));
    }

    private static void assertOutage(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        QueueException failure = catchThrowableOfType(QueueException.class, call);
        assertThat(failure.code())
                .as(failure.getMessage())
                .isIn(QueueErrorCode.SERVICE_UNAVAILABLE, QueueErrorCode.PARTITION_UNAVAILABLE);
    }

    @Test
    void a_pool_that_says_so_only_once_is_believed() {
        queues.queue("work").produce(NewItem.of("x"));
        databaseGoesDown();
        assertUnavailable();
    }

    /** A connection that was used within the last second is not validated before it is used again. */
    @Test
    void a_kept_connection_that_is_found_dead_before_it_is_used_tells_of_an_outage() {
        queues.queue("work").produce(NewItem.of("x"));
        poolTimeout = TIMEOUT.multipliedBy(2);
        databaseGoesDown();
        long start = System.nanoTime();
        TestWaits.await()
                .until(() -> System.nanoTime() - start > Duration.ofSeconds(2).toNanos());
        produce();
    }

    @Test
    void a_pool_that_is_more_patient_than_the_call_is_taken_for_what_was_seen_last() {
        ItemQueue queue = queues.queue("work");
        queue.produce(NewItem.of("x"));
        poolTimeout = TIMEOUT.multipliedBy(2);
        databaseGoesDown();
        assertUnavailable();
        isDown.set(false);
        TestWaits.await().ignoreExceptions().until(() -> {
            LeasedBatch batch = queue.lease(LeaseRequest.of("client", 1));
            return !batch.isEmpty();
        });
    }
}
