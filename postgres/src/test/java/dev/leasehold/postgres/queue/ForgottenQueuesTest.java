package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Queues that come and go leave nothing behind in the nodes that have worked with them. */
@Timeout(TestWaits.TEST_LIMIT)
class ForgottenQueuesTest {
    private static final int QUEUES = 20;

    @Test
    void a_queue_that_was_deleted_leaves_no_statements_behind() {
        PGSimpleDataSource schema = TestPostgres.newSchema();
        QueueSchema.create(schema);
        try (PostgresQueues one = PostgresQueues.create(schema);
                PostgresQueues other = PostgresQueues.create(schema)) {
            IntStream.range(0, QUEUES).forEach(i -> use(one, other, "queue-" + i));
            assertThat(one.knownPartitions()).isGreaterThanOrEqualTo(QUEUES);
            assertThat(other.knownPartitions()).isGreaterThanOrEqualTo(QUEUES);
            IntStream.range(0, QUEUES).forEach(i -> one.delete("queue-" + i));
            // a look that was under way when its queue was deleted may leave some
            TestWaits.await().until(() -> one.knownPartitions() < QUEUES / 2);
            TestWaits.await().until(() -> other.knownPartitions() < QUEUES / 2);
        }
    }

    private static void use(PostgresQueues one, PostgresQueues other, String name) {
        one.create(QueueConfig.named(name));
        one.queue(name).produce(NewItem.of("work"));
        LeasedBatch batch = other.queue(name).lease(LeaseRequest.of("worker", 1));
        other.queue(name).complete(batch);
    }
}
