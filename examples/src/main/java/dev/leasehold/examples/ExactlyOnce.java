package dev.leasehold.examples;

import static dev.leasehold.examples.Story.execute;
import static dev.leasehold.examples.Story.say;

import dev.leasehold.postgres.queue.PostgresQueue;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A pipeline in the caller's own transactions: take an order, book it, hand a receipt on. All of it happens once or not at all. */
public final class ExactlyOnce {
    private final DataSource dataSource;
    private final PostgresQueue orders;
    private final PostgresQueue receipts;

    private ExactlyOnce(DataSource dataSource, PostgresQueues queues) {
        this.dataSource = dataSource;
        this.orders = queues.queue("orders");
        this.receipts = queues.queue("receipts");
    }

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, "create table ledger (entry text)");
        }
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("orders").leaseTimeout(Duration.ofSeconds(2)));
            queues.create(QueueConfig.named("receipts"));
            new ExactlyOnce(dataSource, queues).tell();
        }
    }

    private void tell() throws SQLException {
        orders.produce(NewItem.of("tea"), NewItem.of("cake"));
        work(next(), true);
        say("Committed: %s.", howItStands());

        orders.produce(NewItem.of("coffee"));
        LeasedBatch stale = next();
        work(stale, false);
        say("Failed before the commit: %s.", howItStands());

        LeasedBatch again = next();
        workInVain(stale);
        say("The one before tried too: %s.", howItStands());
        work(again, true);
        say("Worked by the next: %s.", howItStands());
    }

    private LeasedBatch next() {
        return orders.lease(LeaseRequest.of("booking", 10));
    }

    private void work(LeasedBatch batch, boolean commit) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            for (LeasedItem order : batch.items()) {
                book(connection, order.text());
                receipts.produce(connection, NewItem.of("receipt for " + order.text()));
            }
            orders.complete(connection, batch.partition(), batch.ids());
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    /** Its lease has ended. It swallows what it is told and commits, and nothing is written all the same. */
    private void workInVain(LeasedBatch stale) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            book(connection, "the same coffee again");
            try {
                orders.complete(connection, stale.partition(), stale.ids());
            } catch (QueueException e) {
                say("Its lease has ended: %s.", e.code());
            }
            connection.commit();
        } catch (SQLException e) {
            say("Its commit is refused: %s.", e.getMessage()); // or the driver says nothing, and rolls back
        }
    }

    private static void book(Connection connection, String entry) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger values (?)")) {
            insert.setString(1, entry);
            insert.executeUpdate();
        }
    }

    private String howItStands() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from ledger")) {
            row.next();
            return "%d orders, %d entries, %d receipts".formatted(count(orders), row.getLong(1), count(receipts));
        }
    }

    private static long count(ItemQueue queue) {
        return queue.admin().stats().partitions().stream()
                .mapToLong(partition -> partition.total())
                .sum();
    }
}
