package dev.leasehold.examples;

import static dev.leasehold.examples.Story.say;

import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** Queues in one story: produce on one node, lease and complete on another, lose a lease, and leave the rest to a consumer. */
public final class QueueQuickStart {
    private QueueQuickStart() {}

    public static void main(String[] args) throws InterruptedException {
        say("Starting PostgreSQL ...");
        DataSource dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        try (PostgresQueues nodeA = PostgresQueues.create(dataSource);
                PostgresQueues nodeB = PostgresQueues.create(dataSource)) {
            nodeA.create(QueueConfig.named("mail").leaseTimeout(Duration.ofSeconds(2)));
            byHand(nodeA.queue("mail"), nodeB.queue("mail"));
            loseALease(nodeA.queue("mail"), nodeB.queue("mail"));
            consume(nodeA.queue("mail"), nodeB.queue("mail"));
        }
        say("Done.");
    }

    private static void byHand(ItemQueue here, ItemQueue there) {
        here.produce(NewItem.of("welcome"), NewItem.of("invoice"));
        LeasedBatch batch = there.lease(LeaseRequest.of("worker-1", 10));
        batch.items().forEach(item -> say("Node B leased '%s', attempt %d.", item.text(), item.attempts()));
        there.complete(batch);
        say("Completed: %d items left.", left(here));
    }

    private static void loseALease(ItemQueue here, ItemQueue there) {
        here.produce(NewItem.of("reminder"));
        LeasedBatch lost = here.lease(LeaseRequest.of("worker-1", 1));
        say("Worker 1 leased 'reminder' for two seconds, and hangs ...");
        LeasedBatch again = there.lease(LeaseRequest.of("worker-2", 1));
        say(
                "... so worker 2, which waited for it, has it now: attempt %d.",
                again.items().get(0).attempts());
        try {
            here.complete(lost);
        } catch (QueueException e) {
            say("Worker 1 comes back and completes: %s, because the item has a new id.", e.code());
        }
        there.complete(again);
    }

    private static void consume(ItemQueue here, ItemQueue there) throws InterruptedException {
        CountDownLatch worked = new CountDownLatch(3);
        Consumer consumer = there.consume(ConsumeOptions.DEFAULT.concurrency(2), work -> {
            say("A handler works on '%s'.", work.item().text());
            worked.countDown();
        });
        try (consumer) {
            here.produce(NewItem.of("one"), NewItem.of("two"));
            here.produce(NewItem.of("later").when(When.after(Duration.ofMillis(500))));
            worked.await();
        }
        say("The consumer is closed: %d items left.", left(here));
    }

    private static long left(ItemQueue queue) {
        return queue.admin().stats().partitions().stream()
                .mapToLong(partition -> partition.total() + partition.scheduled())
                .sum();
    }
}
