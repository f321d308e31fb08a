package dev.leasehold.examples;

import static dev.leasehold.examples.Story.say;

import dev.leasehold.postgres.queue.PostgresQueue;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** What becomes of items that cannot be worked: they fail, they are refused, they wait for an operator, they get another chance. */
public final class DeadLetters {
    private static final Duration BACKOFF = Duration.ofMillis(200);

    private DeadLetters() {}

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("mail-dead").expireTimeout(Duration.ofDays(30)));
            queues.create(QueueConfig.named("mail").maxAttempts(2).deadQueue("mail-dead"));
            PostgresQueue mail = queues.queue("mail");
            PostgresQueue dead = queues.queue("mail-dead");
            failTooOften(mail, dead);
            refuse(mail);
            look(dead);
            sendBack(dataSource, dead, mail);
        }
    }

    private static void failTooOften(PostgresQueue mail, PostgresQueue dead) {
        mail.produce(NewItem.of("to nobody"));
        ConsumeOptions options = ConsumeOptions.DEFAULT.retry(RetryRules.fixed(BACKOFF));
        Consumer consumer = mail.consume(options, work -> fail(work.item()));
        try (consumer) {
            LeasedBatch letters = dead.lease(LeaseRequest.of("operator", 1));
            say(
                    "After two attempts it is a dead letter: '%s'.",
                    letters.items().get(0).text());
            dead.giveBack(letters.partition(), letters.ids());
        }
    }

    private static void fail(LeasedItem item) {
        say("Attempt %d to send '%s' fails.", item.attempts(), item.text());
        throw new IllegalStateException("no such address");
    }

    private static void refuse(PostgresQueue mail) {
        mail.produce(NewItem.of("not even a letter"));
        LeasedBatch batch = mail.lease(LeaseRequest.of("worker", 1));
        mail.retry(
                batch.partition(), List.of(RetryItem.dead(batch.items().get(0).id())));
        say("Another is refused at its first attempt.");
    }

    private static void look(PostgresQueue dead) {
        for (StoredItem letter : dead.list(ItemListing.of(0))) {
            boolean known = letter.sourceId() != null;
            say(
                    "In the dead queue: %d bytes, attempts %d, source id known: %s.",
                    letter.payload().length, letter.attempts(), known);
        }
    }

    /** Both queues are in one database, so that a letter goes back in one transaction: never lost, never doubled. */
    private static void sendBack(DataSource dataSource, PostgresQueue dead, PostgresQueue mail) throws SQLException {
        LeasedBatch letters = dead.lease(LeaseRequest.of("operator", 10));
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            List<NewItem> again = letters.items().stream()
                    .map(letter -> NewItem.of(letter.payload()))
                    .toList();
            mail.produce(connection, again);
            dead.complete(connection, letters.partition(), letters.ids());
            connection.commit();
        }
        LeasedBatch batch = mail.lease(LeaseRequest.of("worker", 10));
        batch.items().forEach(item -> say("Back in the queue: '%s', attempt %d.", item.text(), item.attempts()));
    }
}
