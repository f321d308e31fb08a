package dev.leasehold.postgres;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.queue.Codec;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Meters of locks and queues on PostgreSQL, transactions included. */
@Timeout(TestWaits.TEST_LIMIT)
class MicrometerTest {
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LeaseholdMetrics metrics = new LeaseholdMetrics(registry);
    private final Leasehold leasehold = PostgresLeasehold.builder(dataSource)
            .locks(locks -> locks.options(options -> options.listener(metrics.lockListener())))
            .queues(queues -> queues.options(options -> options.listener(metrics.queueListener())))
            .build();

    @AfterEach
    void close() {
        leasehold.close();
        metrics.close();
    }

    private Queue<String> orders() {
        leasehold.migrate();
        return leasehold.queues().declare(QueueConfig.named("orders"), Codec.text());
    }

    private double count(String meter) {
        Counter counter = registry.find(meter).tag("queue", "orders").counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void operations_and_messages_to_the_database_are_counted() {
        Queue<String> orders = orders();
        metrics.watch(leasehold);
        try (HeldLock lock = leasehold.locks().acquire("ledger:7")) {
            assertThat(registry.get("leasehold.lock.held").gauge().value()).isEqualTo(1);
            lock.checkpoint();
        }
        orders.produce("tea");

        await().until(() -> count("leasehold.queue.items.produced") == 1);
        for (String engine : new String[] {"locks", "queues"}) {
            assertThat(registry.get("leasehold.group.calls")
                            .tag("engine", engine)
                            .functionCounter()
                            .count())
                    .isPositive();
            assertThat(registry.get("leasehold.group.messages")
                            .tag("engine", engine)
                            .functionCounter()
                            .count())
                    .isPositive();
        }
    }

    @Test
    void items_of_a_transaction_are_counted_when_it_has_committed() throws SQLException {
        Queue<String> orders = orders();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            orders.produce(connection, "never");
            connection.rollback();
            orders.produce(connection, "tea");
            assertThat(count("leasehold.queue.items.produced")).isZero();
            connection.commit();
        }
        await().until(() -> count("leasehold.queue.items.produced") == 1);

        try (Consumer consumer = orders.consumeInTransaction((connection, work) -> {})) {
            await().until(() -> count("leasehold.queue.items.completed") == 1);
            assertThat(consumer.isClosed()).isFalse();
        }
    }
}
