package dev.leasehold.postgres.queue;

import dev.leasehold.GroupStatistics;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.GroupCommit;
import dev.leasehold.postgres.internal.Listener;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of one node on one database: statements, connections, tables of items, notifications. */
final class QueueEngine implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(QueueEngine.class);
    private final PostgresQueueConfig config;
    private final Timer timer = new Timer("leasehold-postgres-queue");
    private final GroupCommit groups;
    private final PartitionSql statements;
    private final Map<String, CompletableFuture<PartitionRef>> making = new ConcurrentHashMap<>();
    private final Map<String, PartitionStatements> calls = new ConcurrentHashMap<>();
    final BackgroundExecutor background;
    final ItemTables itemTables;
    final PartitionVacuum vacuum;
    final ReadyNotifier readyNotifier;
    final TransactionWatch transactions;
    final Timelines timelines = new Timelines(this);

    QueueEngine(PostgresQueueConfig config) {
        this.config = config;
        this.groups = new GroupCommit(
                config.dataSource(),
                config.connections(),
                config.groupLimit(),
                config.timeout(),
                timer,
                QueueFailures.INSTANCE);
        this.statements = new PartitionSql(config.tables());
        this.background = new BackgroundExecutor(config.dataSource(), config.timeout(), timer, groups.reachability());
        this.itemTables = new ItemTables(background, config.tables());
        this.vacuum = new PartitionVacuum(background, config.tables());
        this.readyNotifier = new ReadyNotifier(
                config.tables(),
                groups,
                timer,
                (channel, notifier) ->
                        new Listener(config.listenDataSource(), channel, notifier::heard, notifier::listening));
        this.transactions = new TransactionWatch(config.tables(), groups, timer);
    }

    PostgresQueueConfig config() {
        return config;
    }

    GroupStatistics statistics() {
        return groups.statistics();
    }

    Timer timer() {
        return timer;
    }

    PartitionStatements calls(PartitionRef partition) {
        return calls.compute(QueueTables.items(partition), (table, known) -> {
            boolean current =
                    known != null && known.version() == partition.queue().version();
            return current
                    ? known
                    : new PartitionStatements(
                            partition,
                            statements,
                            config.clock(),
                            items -> giveBack(partition, items),
                            (dead, done) -> readyNotifier.onLateResult(partition, dead, done));
        });
    }

    /** Removes what is cached for a partition of a deleted queue. */
    void forget(PartitionRef partition) {
        itemTables.forget(partition);
        vacuum.forget(partition);
        calls.remove(QueueTables.items(partition));
        statements.forget(partition);
    }

    PartitionSql statements() {
        return statements;
    }

    /** Gives back items whose caller had left before they were leased. If that fails, the lease expires. */
    private void giveBack(PartitionRef partition, List<LeasedItem> items) {
        List<ItemId> ids = items.stream().map(LeasedItem::id).toList();
        Futures.logFailure(new PostgresItemStore(this, false).giveBack(partition, ids), log, "give_back_failed");
    }

    /** Sends a call on a partition that has a table; if the table was dropped with its queue, the call fails as stale. */
    <Q, R> CompletableFuture<R> send(
            BatchedStatement<Q, R> kind, Q request, PartitionRef partition, boolean inCallerThread) {
        PendingCall<Q, R> call = new PendingCall<>(kind, request);
        groups.send(call, inCallerThread);
        CompletableFuture<R> result = new CompletableFuture<>();
        Futures.whenDone(call.result(), (value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else if (QueueFailures.isMissingTable(failure)) {
                forget(partition);
                result.completeExceptionally(new StaleQueueException(partition));
            } else if (QueueFailures.isNotSupported(failure)) {
                result.completeExceptionally(new StaleQueueException(partition));
            } else {
                result.completeExceptionally(failure);
            }
        });
        Futures.whenDone(result, (value, failure) -> {
            if (failure != null) {
                call.fail(new QueueException(QueueErrorCode.ABORTED, "Operation aborted by its caller"));
            }
        });
        return result;
    }

    /** Runs a call once its partition has a table, making it if need be. */
    <R> CompletableFuture<R> withTable(
            PartitionRef partition, Function<PartitionStatements, CompletableFuture<R>> call) {
        if (itemTables.isKnown(partition)) {
            return call.apply(calls(partition));
        }
        return ensureTable(partition).thenCompose(made -> call.apply(calls(partition)));
    }

    /** Finds or creates the table of a partition, once for all concurrent calls. */
    private CompletableFuture<PartitionRef> ensureTable(PartitionRef partition) {
        String key = QueueTables.items(partition) + " " + partition.queue().version();
        CompletableFuture<PartitionRef> mine = new CompletableFuture<>();
        CompletableFuture<PartitionRef> running = making.putIfAbsent(key, mine);
        if (running != null) {
            return running.copy();
        }
        Futures.whenDone(background.run(() -> itemTables.ensure(partition)), (done, failure) -> {
            making.remove(key, mine);
            if (failure == null) {
                mine.complete(partition);
            } else if (QueueFailures.isNotSupported(failure)) {
                mine.completeExceptionally(new StaleQueueException(partition));
            } else {
                mine.completeExceptionally(failure);
            }
        });
        return mine.copy();
    }

    @Override
    public void close() {
        readyNotifier.close();
        groups.close();
        background.close();
        timer.close();
    }
}
