package dev.leasehold.postgres.queue;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Partitions in one PostgreSQL database: each transition is the .sql file of its name. */
final class PostgresItemStore implements ItemStore {
    private static final long SWEEP_LIMIT = 1000;

    /** When the next sweep follows, if the due items are locked by another transaction. */
    private static final Duration LOCKED_PAUSE = Duration.ofMillis(100);

    /** What stays where it is, because the dead queue is not there, is left alone for so long. */
    private static final Duration MISSING_PAUSE = Duration.ofSeconds(1);

    private final QueueEngine engine;
    private final boolean inCallerThread;

    PostgresItemStore(QueueEngine engine, boolean inCallerThread) {
        this.engine = engine;
        this.inCallerThread = inCallerThread;
    }

    @Override
    public ItemStore blocking() {
        return new PostgresItemStore(engine, true);
    }

    @Override
    public CompletableFuture<List<ItemId>> produce(PartitionRef partition, List<NewItem> items) {
        return engine.withTable(partition, calls -> engine.send(calls.produce, items, partition, inCallerThread));
    }

    @Override
    public CompletableFuture<Leased> lease(PartitionRef partition, Portion portion) {
        engine.readyNotifier.want();
        return ifTable(partition, Leased.NOTHING, calls -> lease(partition, calls, portion));
    }

    private CompletableFuture<Leased> lease(PartitionRef partition, PartitionStatements calls, Portion portion) {
        LeaseCursor.Scan scan = calls.cursor.beginScan();
        LeaseStatement.Request request = calls.lease.request(portion, scan.first());
        CompletableFuture<Leased> result = engine.send(calls.lease, request, partition, inCallerThread);
        Futures.whenDone(result, (leased, failure) -> {
            calls.cursor.endScan(scan);
            if (failure == null && !leased.items().isEmpty()) {
                calls.cursor.found(
                        scan, QueueRows.number(partition, leased.items().get(0).id()));
                survey(partition, calls, leased.items().size());
            }
        });
        return result;
    }

    /** So many more items have been leased: now and then that is the time for a survey. */
    void survey(PartitionRef partition, PartitionStatements calls, int leased) {
        LeaseCursor.SurveyStart start = calls.cursor.leased(leased);
        if (start != null) {
            Futures.whenDone(
                    engine.send(
                            calls.one("survey_ready_items", LeaseCursor.Survey::read),
                            Map.of("first", start.first()),
                            partition,
                            false),
                    (survey, failure) -> calls.cursor.surveyed(start, survey));
        }
    }

    @Override
    public CompletableFuture<Void> complete(PartitionRef partition, List<ItemId> ids) {
        return engine.withTable(partition, calls -> engine.send(calls.complete, ids, partition, inCallerThread))
                .thenAccept(done -> engine.vacuum.completed(partition, ids.size()));
    }

    @Override
    public CompletableFuture<Retried> retry(
            PartitionRef partition, @Nullable PartitionRef dead, List<RetryItem> items) {
        return withDeadTable(dead)
                .thenCompose(ready -> engine.withTable(
                        partition, calls -> engine.send(calls.retry(dead), items, partition, inCallerThread)));
    }

    @Override
    public CompletableFuture<Instant> extend(PartitionRef partition, List<ItemId> ids, Duration leaseTimeout) {
        ExtendStatement.Request request = new ExtendStatement.Request(ids, leaseTimeout);
        return engine.withTable(partition, calls -> engine.send(calls.extend, request, partition, inCallerThread));
    }

    @Override
    public CompletableFuture<Void> giveBack(PartitionRef partition, List<ItemId> ids) {
        ItemNumbers numbers = ItemNumbers.of(partition, ids);
        long lowest = numbers.lowest();
        return engine.withTable(partition, calls -> {
            calls.cursor.rewind(lowest);
            return engine.send(calls.one("give_back", row -> true), numbers.values(), partition, inCallerThread)
                    .whenComplete((done, failure) -> calls.cursor.rewind(lowest))
                    .thenAccept(done -> {});
        });
    }

    @Override
    public CompletableFuture<List<StoredItem>> list(
            PartitionRef partition, boolean scheduled, @Nullable ItemId pivot, Portion portion) {
        long first = pivot == null
                ? 0
                : Ksuid.firstNumberFrom(pivot.value(), partition.queue().uid(), partition.number());
        Map<String, @Nullable Object> values =
                Map.of("first", first, "limit", (long) portion.items(), "bytes", portion.bytes());
        return one(partition, scheduled ? "list_scheduled" : "list_items", values, row -> {
            List<StoredItem> items = new ArrayList<>();
            do {
                if (row.getObject("id") != null) {
                    items.add(QueueRows.stored(partition, row));
                }
            } while (row.next());
            return items;
        });
    }

    @Override
    public CompletableFuture<List<StoredItem>> importItems(PartitionRef partition, List<StoredItem> items) {
        return one(
                partition,
                "import",
                ImportColumns.values(partition, items),
                row -> ImportColumns.read(partition, items, row));
    }

    @Override
    public CompletableFuture<Void> delete(PartitionRef partition, List<ItemId> ids) {
        return one(partition, "delete", ItemNumbers.of(partition, ids).values(), row -> true)
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> clear(PartitionRef partition, ClearRequest request) {
        Map<String, @Nullable Object> values = Map.of(
                "scheduled", request.scheduled() ? 1L : 0L,
                "queue_too", request.queue() ? 1L : 0L,
                "destructive", request.destructive() ? 1L : 0L);
        return one(partition, "clear", values, row -> true).thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Counts> count(PartitionRef partition) {
        return one(
                partition,
                "count",
                Map.of(),
                row -> new Counts(
                        row.getLong("total"),
                        row.getLong("leased"),
                        row.getLong("scheduled"),
                        Duration.of(row.getLong("age_us"), ChronoUnit.MICROS),
                        Duration.of(row.getLong("leased_age_us"), ChronoUnit.MICROS),
                        QueueRows.until(row, "oldest_us")));
    }

    @Override
    public CompletableFuture<List<Outlook>> look(List<PartitionRef> partitions) {
        return find(partitions).thenCompose(found -> {
            List<CompletableFuture<Outlook>> all = partitions.stream()
                    .map(partition -> ifKnown(
                            partition,
                            new Outlook(0, null),
                            calls -> engine.send(
                                    calls.one("partition_outlook", PostgresItemStore::outlook),
                                    Map.of(),
                                    partition,
                                    false)))
                    .toList();
            return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
                    .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
        });
    }

    private static Outlook outlook(ResultSet row) throws SQLException {
        return new Outlook(row.getInt("ready"), QueueRows.until(row, "next_us"));
    }

    @Override
    public CompletableFuture<Swept> sweep(PartitionRef partition, @Nullable PartitionRef dead) {
        Map<String, @Nullable Object> values = sweepValues(partition, dead);
        return withDeadTable(dead)
                .thenCompose(ready -> ifTable(
                        partition,
                        new Swept(0, 0, Discarded.NOTHING, null),
                        calls -> engine.send(sweepCall(calls, partition, dead), values, partition, false)));
    }

    static Map<String, @Nullable Object> sweepValues(PartitionRef partition, @Nullable PartitionRef dead) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("limit", SWEEP_LIMIT);
        DeadQueueParameters.add(values, partition, dead);
        return values;
    }

    UnbatchedStatement<Swept> sweepCall(
            PartitionStatements calls, PartitionRef partition, @Nullable PartitionRef dead) {
        return calls.sweep(dead, row -> swept(row, partition, dead));
    }

    private static Swept swept(ResultSet row, PartitionRef partition, @Nullable PartitionRef dead) throws SQLException {
        if (dead != null && !row.getBoolean("is_dead_current")) {
            throw new StaleQueueException(dead);
        }
        int ready = row.getInt("ready");
        int gone = row.getInt("gone");
        Duration next = QueueRows.until(row, "next_us");
        boolean nothing = ready + gone == 0;
        Duration stuck = DeadQueueParameters.isMissing(partition, dead) ? MISSING_PAUSE : LOCKED_PAUSE;
        Duration pause = nothing && next != null && next.isZero() ? stuck : next;
        int expired = row.getInt("expired");
        int letters = row.getInt("dead");
        Discarded discarded =
                dead == null ? new Discarded(expired, gone - expired, 0) : Discarded.duplicates(gone - letters);
        return new Swept(ready, letters, discarded, pause);
    }

    @Override
    public void publish(List<PartitionRef> partitions) {
        engine.readyNotifier.publish(partitions);
    }

    @Override
    public void listen() {
        engine.readyNotifier.want();
    }

    @Override
    public void subscribe(ReadyListener listener) {
        engine.readyNotifier.subscribe(listener);
    }

    private <R> CompletableFuture<R> one(
            PartitionRef partition,
            String statement,
            Map<String, @Nullable Object> values,
            UnbatchedStatement.Reader<R> reader) {
        return engine.withTable(
                partition, calls -> engine.send(calls.one(statement, reader), values, partition, inCallerThread));
    }

    private CompletableFuture<?> withDeadTable(@Nullable PartitionRef dead) {
        return dead == null
                ? CompletableFuture.completedFuture(null)
                : engine.withTable(dead, calls -> CompletableFuture.completedFuture(dead));
    }

    /** Runs a call on a partition that has a table; for one that nothing was ever put into, {@code otherwise} is the answer. */
    private <R> CompletableFuture<R> ifTable(
            PartitionRef partition, R otherwise, Function<PartitionStatements, CompletableFuture<R>> call) {
        return engine.itemTables.isKnown(partition)
                ? call.apply(engine.calls(partition))
                : find(List.of(partition)).thenCompose(found -> ifKnown(partition, otherwise, call));
    }

    private <R> CompletableFuture<R> ifKnown(
            PartitionRef partition, R otherwise, Function<PartitionStatements, CompletableFuture<R>> call) {
        return engine.itemTables.isKnown(partition)
                ? call.apply(engine.calls(partition))
                : CompletableFuture.completedFuture(otherwise);
    }

    private CompletableFuture<?> find(List<PartitionRef> partitions) {
        List<PartitionRef> unknown = partitions.stream()
                .filter(partition -> !engine.itemTables.isKnown(partition))
                .toList();
        return unknown.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : engine.background.run(() -> {
                    engine.itemTables.find(unknown);
                    return unknown;
                });
    }

    @Override
    public void forget(PartitionRef partition) {
        engine.forget(partition);
    }

    @Override
    public void close() {
        engine.close();
    }
}
