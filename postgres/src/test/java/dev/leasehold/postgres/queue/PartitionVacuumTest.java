package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The table of a busy queue stays about as large as what is in it. On a server of its own: a snapshot that another test holds open
 * in the same database keeps the dead rows of this one's tables.
 */
@Timeout(120)
@Tag("slow")
class PartitionVacuumTest {
    private static final String GUEST = "leasehold_vacuum_guest";
    private static final int BATCH = 1000;

    private static OwnPostgres postgres;
    private PGSimpleDataSource dataSource;

    @BeforeAll
    static void start() {
        postgres = OwnPostgres.start();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @BeforeEach
    void create() {
        dataSource = postgres.newSchema();
        QueueSchema.create(dataSource);
    }

    @Test
    void what_completed_items_leave_behind_is_taken_away() {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("busy"));
            pump(queues.queue("busy"), PartitionVacuum.ITEMS);
            TestWaits.await().untilAsserted(() -> assertThat(vacuums("busy")).isEqualTo(1));
        }
    }

    @Test
    void a_queue_in_which_little_happens_is_left_to_autovacuum() {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("calm"));
            queues.create(QueueConfig.named("busy"));
            pump(queues.queue("calm"), PartitionVacuum.ITEMS / 2);
            pump(queues.queue("busy"), PartitionVacuum.ITEMS);
            TestWaits.await().untilAsserted(() -> assertThat(vacuums("busy")).isEqualTo(1));
            assertThat(vacuums("calm")).isZero();
        }
    }

    @Test
    void the_table_does_not_grow_with_what_has_passed_through_it() {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("busy"));
            ItemQueue queue = queues.queue("busy");
            for (int i = 1; i <= 5; i++) {
                pump(queue, PartitionVacuum.ITEMS);
                int rounds = i;
                TestWaits.await().until(() -> {
                    pump(queue, 1); // it may be resting when the last of many is completed
                    return vacuums("busy") >= rounds;
                });
            }
            long bytes = Db.number(dataSource, "select pg_table_size('" + QueueTables.quoted(table("busy")) + "')");
            long ofOneRound = 2 * PartitionVacuum.ITEMS * 150;
            assertThat(bytes).isLessThan(2 * ofOneRound);
        }
    }

    /** It would be warned of in the log of the server every time. */
    @Test
    void a_role_that_may_not_is_not_made_to_try_again() {
        try (PostgresQueues owner = PostgresQueues.create(dataSource)) {
            owner.create(QueueConfig.named("busy"));
            pump(owner.queue("busy"), 1);
        }
        try (QueueEngine guest = new QueueEngine(new PostgresQueueConfig(
                asGuest(),
                dataSource,
                QueueTables.DEFAULT,
                1,
                Integer.MAX_VALUE,
                Duration.ofSeconds(20),
                new StoreClock(null)))) {
            PartitionRef partition = new PostgresQueueRecords(Map.of("postgres", guest))
                    .get("busy")
                    .join()
                    .orElseThrow()
                    .partition(0);
            guest.vacuum.completed(partition, (int) PartitionVacuum.ITEMS);
            TestWaits.await().until(guest.vacuum::isOff);
        }
    }

    private PGSimpleDataSource asGuest() {
        String schema = dataSource.getCurrentSchema();
        Db.execute(
                dataSource,
                "do $$ begin if not exists (select from pg_roles where rolname = '" + GUEST + "') then create role "
                        + GUEST + "; end if; end $$");
        Db.execute(dataSource, "grant usage on schema " + schema + " to " + GUEST);
        Db.execute(
                dataSource, "grant select, insert, update, delete on all tables in schema " + schema + " to " + GUEST);
        Db.execute(dataSource, "grant usage on all sequences in schema " + schema + " to " + GUEST);
        PGSimpleDataSource limited = postgres.dataSource();
        limited.setCurrentSchema(schema);
        limited.setOptions("-c role=" + GUEST);
        return limited;
    }

    private static void pump(ItemQueue queue, long items) {
        List<NewItem> batch = Collections.nCopies((int) Math.min(items, BATCH), NewItem.of("x"));
        for (long done = 0; done < items; done += batch.size()) {
            queue.produce(ProduceRequest.of(batch));
            LeasedBatch leased = queue.lease(LeaseRequest.of("client", BATCH));
            queue.complete(leased);
        }
    }

    private long vacuums(String queue) {
        return Db.number(
                dataSource,
                "select vacuum_count from pg_stat_user_tables where schemaname = current_schema() and relname = '"
                        + table(queue) + "'");
    }

    private static String table(String queue) {
        return QueueTables.items(QueueHash.of(queue), 0);
    }
}
