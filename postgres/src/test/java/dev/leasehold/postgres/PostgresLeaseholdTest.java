package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.queue.QueueTables;
import dev.leasehold.queue.Codec;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** The start of an application, again and again. */
@Timeout(TestWaits.TEST_LIMIT)
class PostgresLeaseholdTest {
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void an_application_can_be_started_any_number_of_times() {
        for (int start = 1; start <= 3; start++) {
            try (Leasehold leasehold = PostgresLeasehold.connect(dataSource)) {
                work(leasehold, start);
            }
        }
        assertThat(seen).containsExactly("order 1", "order 2", "order 3");
    }

    @Test
    void tables_of_other_names_are_created_too() {
        LockTables lockTables = new LockTables("my_locks", "my_fences");
        QueueTables queueTables = new QueueTables("my_queues");
        try (Leasehold leasehold = PostgresLeasehold.builder(dataSource)
                .locks(builder -> builder.tables(lockTables))
                .queues(builder -> builder.tables(queueTables))
                .build()) {
            work(leasehold, 1);
        }
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from information_schema.tables where table_schema = current_schema()"
                                + " and table_name in ('syncguard_locks', 'queues')"))
                .isZero();
    }

    private void work(Leasehold leasehold, int start) {
        leasehold.migrate();
        try (HeldLock lock = leasehold.locks().acquire("ledger:7")) {
            assertThat(lock.isHeld()).isTrue();
        }
        Queue<String> orders =
                leasehold.queues().declare(QueueConfig.named("orders").maxAttempts(5), Codec.text());
        orders.produce("order " + start);
        try (Consumer consumer = orders.consume(work -> seen.add(work.payload()))) {
            TestWaits.await().until(() -> seen.size() == start);
            assertThat(consumer.isClosed()).isFalse();
        }
    }
}
