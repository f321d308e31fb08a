package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.history.Turn;
import dev.leasehold.postgres.queue.PostgresQueue;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.Produced;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Turns orders into receipts and rows of the ledger, in one transaction; now and then too slowly for its lease. Over HTTP, where
 * there are no such transactions, it only takes orders and has them tried again.
 */
final class OrderWorker extends Worker {
    private final QueueCalls calls;

    OrderWorker(Client client, int number) {
        super(client, "order", number, 25);
        this.calls = new QueueCalls(client.recorder(), name);
    }

    @Override
    void turn() {
        ItemQueue orders = client.queues().queue(Orders.orders(client.prefix()));
        LeaseRequest request = LeaseRequest.of(client.node() + "/" + name, 1 + random.nextInt(3))
                .timeout(Duration.ofMillis(500));
        LeasedBatch batch = calls.lease(orders, request, PipelineQueues.LEASE);
        if (chance(5)) {
            pause((int) PipelineQueues.LEASE.toMillis() + random.nextInt(500));
        }
        if (!batch.isEmpty() && client.isLibrary()) {
            work(batch);
        } else if (!batch.isEmpty()) {
            for (LeasedItem item : batch.items()) {
                calls.retry(orders, batch.partition(), item, Turn.NOW, Duration.ZERO);
            }
        }
    }

    private void work(LeasedBatch batch) {
        try (Connection connection = client.business().getConnection()) {
            connection.setAutoCommit(false);
            work(connection, batch);
        } catch (SQLException e) {
            pause(20); // the database is away; what became of it is in the history
        }
    }

    private void work(Connection connection, LeasedBatch batch) throws SQLException {
        PostgresQueue orders = client.libraryQueues().queue(batch.queue());
        PostgresQueue receipts = client.libraryQueues().queue(Orders.receipts(client.prefix()));
        List<NewItem> written = batch.items().stream()
                .map(item -> NewItem.of(Orders.receipt(item.text())))
                .toList();
        Transaction calling = begin(orders, receipts, batch, written);
        try {
            orders.complete(connection, batch.partition(), batch.ids());
            Produced produced = receipts.produce(connection, written);
            post(connection, entries(batch));
            if (chance(5)) {
                connection.rollback();
                calling.all().forEach(call -> call.fail("rolled back"));
                return;
            }
            connection.commit();
            calling.ok(QueueCalls.facts(written, produced));
        } catch (QueueException e) {
            calling.all().forEach(call -> QueueCalls.end(call, e));
        } catch (SQLException e) {
            calling.all().forEach(call -> call.unknown(String.valueOf(e.getSQLState())));
        }
    }

    /** The three calls that happen together or not at all. */
    private record Transaction(Recorder.Call complete, Recorder.Call produce, Recorder.Call commit) {
        List<Recorder.Call> all() {
            return List.of(complete, produce, commit);
        }

        void ok(Facts produced) {
            complete.ok();
            produce.ok(produced);
            commit.ok();
        }
    }

    private Transaction begin(PostgresQueue orders, PostgresQueue receipts, LeasedBatch batch, List<NewItem> written) {
        return new Transaction(
                calls.invoke(Operation.COMPLETE, orders, QueueCalls.leased(batch.partition(), batch.items())),
                calls.invoke(Operation.PRODUCE, receipts, Facts.items(QueueCalls.facts(written))),
                client.recorder()
                        .invoke(name, Operation.COMMIT, Orders.ledger(client.prefix()), ledgerFacts(entries(batch))));
    }

    private static List<String> entries(LeasedBatch batch) {
        return batch.items().stream().map(item -> Orders.entry(item.text())).toList();
    }

    private static Facts ledgerFacts(List<String> entries) {
        return new Facts(
                null,
                "none",
                0L,
                null,
                false,
                entries.stream().map(ItemFacts::of).toList(),
                null,
                null);
    }

    private static void post(Connection connection, List<String> entries) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into chaos_ledger values (?)")) {
            for (String entry : entries) {
                insert.setString(1, entry);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
