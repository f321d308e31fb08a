package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.Faulty;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Slow calls of one caller make others wait; they do not make a store that answers count as failing. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class SlowNeighbourTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private volatile boolean isSlow;

    @Test
    void calls_that_waited_behind_slow_ones_do_not_mark_the_store_failing() {
        PGSimpleDataSource schema = TestPostgres.newSchema();
        QueueSchema.create(schema);
        try (PostgresQueues queues = PostgresQueues.builder(Faulty.dataSource(schema, this::before))
                .connections(1)
                .timeout(TIMEOUT)
                .options(options -> options.lookInterval(Duration.ofHours(1)))
                .build()) {
            queues.create(QueueConfig.named("work"));
            ItemQueue queue = queues.queue("work");
            queue.produce(NewItem.of("x"));
            LeasedBatch held = queue.lease(LeaseRequest.of("client", 1));
            isSlow = true;
            List<CompletableFuture<?>> slow = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                slow.add(queue.admin().listAsync(ItemListing.of(0))); // each alone on the only connection
            }
            TestWaits.await().until(() -> slow.stream().allMatch(CompletableFuture::isDone));
            isSlow = false;
            assertThat(slow).anyMatch(CompletableFuture::isCompletedExceptionally);
            queue.complete(held);
            assertThat(queue.admin().stats().partitions().get(0).failures()).isZero();
        } finally {
            Db.execute(TestPostgres.dataSource(), "drop schema " + schema.getCurrentSchema() + " cascade");
        }
    }

    /** A database that takes its time for every statement, and answers all of them. */
    private void before(String type, String method) {
        if (isSlow && type.equals("PreparedStatement") && method.equals("execute")) {
            LockSupport.parkNanos(TIMEOUT.toNanos() * 3 / 10);
        }
    }
}
