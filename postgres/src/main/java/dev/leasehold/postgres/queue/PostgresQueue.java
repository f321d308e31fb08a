package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.CallerTransaction;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.UserTransaction;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.TransactionHandler;
import dev.leasehold.queue.internal.Directory;
import dev.leasehold.queue.internal.LocalQueue;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.queue.internal.QueueHandle;
import dev.leasehold.queue.internal.QueueNode;
import dev.leasehold.queue.internal.consume.HeldWork;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.StaleQueueException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A queue that can also be written to inside the caller's own transaction: effects in the same database then happen exactly once.
 *
 * <pre>{@code
 * queue.complete(connection, batch.partition(), batch.ids());
 * ledger.post(connection, entry);
 * next.produce(connection, NewItem.of("posted"));
 * connection.commit();
 * }</pre>
 */
public final class PostgresQueue extends QueueHandle {
    private static final int MOST_REPEATS = 10;

    private final Directory directory;
    private final Function<String, QueueEngine> engines;

    PostgresQueue(QueueNode node, String name, Consumers consumers, Function<String, QueueEngine> engines) {
        super(node, name, consumers);
        this.directory = node.directory();
        this.engines = engines;
    }

    /**
     * Produces in the caller's transaction: the items are there for others when it commits, and whoever waits is woken then; if
     * it is rolled back they never were. All partitions of the queue must lie in the one store that {@code connection} leads to.
     */
    @Override
    public Produced produce(Connection connection, List<NewItem> items) {
        ProduceRequest request = ProduceRequest.of(items);
        bounds().checkRequest(request.items(), NewItem::weight);
        mustBeInTransaction(connection, "produce");
        return repeated(live -> produceOnce(connection, live, request.items()));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The transaction runs on a connection to the store where the item is, with the isolation level that its pool has set.
     */
    @Override
    public Consumer consumeInTransaction(ConsumeOptions options, TransactionHandler<LeasedItem> handler) {
        return consume(options, work -> handle((HeldWork) work, handler));
    }

    private void handle(HeldWork work, TransactionHandler<LeasedItem> handler) throws Exception {
        UserTransaction.run(dataSource(work.partition()), connection -> {
            handler.handle(connection, work);
            commit(connection, work);
            return work;
        });
    }

    private void commit(Connection connection, HeldWork work) throws SQLException {
        if (work.isToBeCompleted()) {
            complete(connection, work.partition(), List.of(work.item().id()));
            work.committing();
            connection.commit();
            work.committed();
        } else {
            connection.rollback();
        }
    }

    private DataSource dataSource(int partition) {
        LocalQueue live = QueueAwait.on(directory.get(name()));
        return engines.apply(live.record().partition(partition).store())
                .config()
                .dataSource();
    }

    /** Produces in the caller's transaction. */
    public Produced produce(Connection connection, NewItem... items) {
        return produce(connection, List.of(items));
    }

    private Produced produceOnce(Connection connection, LocalQueue live, List<NewItem> items) {
        PartitionRef partition = live.leastLoaded();
        QueueEngine engine = engines.apply(partition.store());
        PartitionCalls calls =
                QueueAwait.on(engine.withTable(partition, known -> CompletableFuture.completedFuture(known)));
        List<ItemId> ids = run(connection, engine, calls.produce, items);
        engine.transactions.onCommit(xid(engine, connection), () -> live.produced(partition, items));
        return new Produced(partition.number(), ids);
    }

    /**
     * Completes leased items in the caller's transaction: either both happen or neither.
     *
     * <p>It may be called after a savepoint: then a rollback to that undoes the completion, and what was done since, together.
     *
     * @throws QueueException if a lease was lost, or for any other reason; the transaction was rolled back then, and nothing more
     *     commits in its place
     */
    public void complete(Connection connection, int partition, List<ItemId> ids) {
        QueueRules.ids(ids.size());
        mustBeAbleToFail(connection);
        try {
            repeated(live -> completeOnce(connection, live, partition, ids));
        } catch (QueueException e) {
            boolean mayBeOld = SnapshotReason.canApply(connection, e);
            doom(connection);
            throw mayBeOld ? SnapshotReason.of(e, partition, this) : e;
        }
    }

    private Boolean completeOnce(Connection connection, LocalQueue live, int partition, List<ItemId> ids) {
        QueueRules.partition(partition, live.record().stores().size());
        PartitionRef ref = live.record().partition(partition);
        QueueEngine engine = engines.apply(ref.store());
        PartitionCalls calls = QueueAwait.on(engine.withTable(ref, CompletableFuture::completedFuture));
        return run(connection, engine, calls.complete, ids);
    }

    private <T> T repeated(Function<LocalQueue, T> attempt) {
        for (int i = 0; ; i++) {
            try {
                return attempt.apply(QueueAwait.on(directory.get(name())));
            } catch (StaleQueueException e) {
                if (i == MOST_REPEATS) {
                    throw e;
                }
                QueueAwait.on(directory.refresh(e.partition()));
            }
        }
    }

    private <Q, R> R run(Connection connection, QueueEngine engine, PartitionCall<Q, R> kind, Q request) {
        try {
            return kind.runAlone(connection, request);
        } catch (SQLException e) {
            QueueException failure = QueueFailures.map(e);
            throw QueueFailures.isMissingTable(failure) ? gone(engine, kind.partition, e) : failure;
        }
    }

    /** The table has gone with its queue. PostgreSQL has given the transaction up, so there is no trying again in it. */
    private QueueException gone(QueueEngine engine, PartitionRef partition, SQLException e) {
        engine.itemTables.forget(partition);
        StaleQueueException stale = new StaleQueueException(partition);
        QueueAwait.on(directory.refresh(partition));
        return new QueueException(stale.code(), String.valueOf(stale.getMessage()), e);
    }

    private static long xid(QueueEngine engine, Connection connection) {
        Sql sql = Sql.load("queue/produce_in", engine.config().tables().placeholders());
        try (PreparedStatement statement = sql.prepare(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong("xid");
        } catch (SQLException e) {
            throw QueueFailures.map(e);
        }
    }

    private static void doom(Connection connection) {
        CallerTransaction.doom(connection, Sql.piece("queue/complete_lost", Map.of()));
    }

    /** A transaction that cannot take the completion does not commit either. */
    private static void mustBeAbleToFail(Connection connection) {
        try {
            mustBeInTransaction(connection, "complete");
        } catch (QueueException e) {
            CallerTransaction.doomUnlessAutoCommit(connection, Sql.piece("queue/complete_lost", Map.of()));
            throw e;
        }
    }

    private static void mustBeInTransaction(Connection connection, String verb) {
        try {
            String problem = CallerTransaction.problem(connection, verb);
            if (problem != null) {
                throw new QueueException(QueueErrorCode.INVALID_ARGUMENT, problem);
            }
        } catch (SQLException e) {
            throw QueueFailures.map(e);
        }
    }
}
