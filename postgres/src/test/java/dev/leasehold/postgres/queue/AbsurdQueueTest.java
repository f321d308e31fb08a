package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A queue whose row has absurd numbers, written by hand or by an earlier build, is in nobody's way and can be deleted. */
@Timeout(TestWaits.TEST_LIMIT)
class AbsurdQueueTest {
    private PGSimpleDataSource dataSource;
    private PostgresQueues queues;

    @BeforeEach
    void open() {
        dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        try (PostgresQueues first = PostgresQueues.create(dataSource)) {
            first.create(QueueConfig.named("absurd"));
            first.queue("absurd").produce(NewItem.of("x"));
            first.create(QueueConfig.named("sane"));
        }
        Db.execute(
                dataSource,
                "update queues set requested_partitions = 1000000, max_attempts = 1000000, lease_timeout_ns = -5,"
                        + " expire_timeout_ns = 0, partition_stores = array_fill('postgres'::text, array[1000000])"
                        + " where name = 'absurd'");
        queues = PostgresQueues.create(dataSource);
    }

    @AfterEach
    void close() {
        queues.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    @Test
    void it_is_listed_within_the_limits_and_other_queues_are_served() {
        assertThat(queues.list(QueueListing.DEFAULT))
                .extracting(QueueInfo::name)
                .containsExactly("absurd", "sane");
        assertThat(queues.info("absurd").config().partitions()).isEqualTo(32_000);
        queues.queue("sane").produce(NewItem.of("x"));
    }

    @Test
    void it_can_be_deleted_with_its_tables() {
        assertThat(tables()).isEqualTo(1);
        queues.delete("absurd");
        assertThat(tables()).isZero();
        assertThat(queues.list(QueueListing.DEFAULT))
                .extracting(QueueInfo::name)
                .containsExactly("sane");
        queues.create(QueueConfig.named("absurd"));
        queues.queue("absurd").produce(NewItem.of("new"));
    }

    private long tables() {
        return Db.number(
                dataSource,
                "select count(*) from pg_class where relkind = 'r' and relname like 'items!_%' escape '!'"
                        + " and relnamespace = '" + dataSource.getCurrentSchema() + "'::regnamespace");
    }
}
