package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListing;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.QueueRecords;
import dev.leasehold.spi.Futures;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of queues. The first store has the truth; every other has a copy of the records of queues with partitions in it,
 * because each statement on items checks the version in its own database.
 *
 * <p>A change is written to the first store, then to the copies. A copy that could not be written is old: the next call on a
 * partition there notices, and {@link #refresh} writes it. Until then that store does nothing for the queue.
 */
final class PostgresQueueRecords implements QueueRecords {
    private static final Logger log = LoggerFactory.getLogger(PostgresQueueRecords.class);

    private final Map<String, QueueEngine> engines;
    private final QueueEngine home;
    private final String homeName;
    private final AtomicBoolean finishing = new AtomicBoolean();

    /** @param engines by the name of their store; the first has the truth */
    PostgresQueueRecords(Map<String, QueueEngine> engines) {
        this.engines = new LinkedHashMap<>(engines);
        this.homeName = engines.keySet().iterator().next();
        this.home = engines.values().iterator().next();
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> create(QueueConfig config, List<String> stores) {
        CompletableFuture<Optional<QueueRecord>> made = home.background.run(() -> {
            Optional<QueueRecord> created = first(query(home, "create", values(config, stores)));
            Long halfDeleted = created.isPresent() ? null : halfDeleted().get(config.name());
            if (halfDeleted != null) {
                finishDelete(config.name(), halfDeleted);
                created = first(query(home, "create", values(config, stores)));
            }
            if (created.isEmpty()
                    && query(home, "get", Map.of("name", config.name())).isEmpty()) {
                throw new QueueException(
                        QueueErrorCode.INTERNAL,
                        "the tables of queue '" + config.name()
                                + "' would have the names of another queue's tables; choose another name");
            }
            return created;
        });
        return made.thenCompose(this::copied);
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> get(String name) {
        return home.background.run(() -> first(query(home, "get", Map.of("name", name))));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> list(QueueListing listing) {
        return home.background.run(() ->
                query(home, "list", Map.of("pivot", listing.pivot(), "namespace", listing.namespace(), "limit", (long)
                        listing.limit())));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> all(String after, int limit) {
        if (after.isEmpty()) {
            finishDeletes();
        }
        return home.background.run(() -> query(home, "all", Map.of("after", after, "limit", (long) limit)));
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> update(
            QueueRecord current, QueueConfig config, List<String> stores) {
        Map<String, @Nullable Object> values = values(config, stores);
        values.put("version", current.version());
        return home.background.run(() -> first(query(home, "update", values))).thenCompose(this::copied);
    }

    @Override
    public CompletableFuture<Boolean> delete(String name) {
        return home.background.runPatiently(() -> {
            Optional<QueueRecord> there = first(query(home, "get", Map.of("name", name)));
            if (there.isPresent()) {
                finishDelete(name, there.get().uid());
            }
            return there.isPresent();
        });
    }

    @Override
    public CompletableFuture<Void> refresh(QueueRecord record, String store) {
        QueueEngine engine = engines.get(store);
        if (engine == null || engine == home) {
            return CompletableFuture.completedFuture(null);
        }
        return engine.background
                .run(() -> {
                    execute(engine, "copy", copyValues(record));
                    return true;
                })
                .thenAccept(done -> {});
    }

    /** Writes the copies that can be written; the others are written when their store is back. */
    private CompletableFuture<Optional<QueueRecord>> copied(Optional<QueueRecord> record) {
        List<CompletableFuture<Void>> copies = new ArrayList<>();
        record.ifPresent(written -> others(written.stores())
                .forEach(store -> copies.add(refresh(written, store).exceptionally(failure -> null))));
        return CompletableFuture.allOf(copies.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> record);
    }

    /** Which of the stores of partitions are not home. */
    private Set<String> others(List<String> stores) {
        Set<String> others = new LinkedHashSet<>(stores);
        others.remove(homeName);
        return others;
    }

    /**
     * Marks a queue as deleted, drops its tables wherever they are, and lets go of its name. May be repeated until it is through:
     * home, from where it is repeated, forgets the queue last.
     */
    private void finishDelete(String name, long uid) throws SQLException {
        List<String> partitions = begin(home, name, uid);
        List<QueueEngine> all = new ArrayList<>();
        for (String store : others(partitions)) {
            all.add(engine(store));
        }
        for (QueueEngine other : all) {
            begin(other, name, uid);
        }
        all.add(home);
        for (QueueEngine engine : all) {
            engine.itemTables.drop(name, uid, partitions.size());
        }
        for (QueueEngine engine : all) {
            execute(engine, "delete_end", Map.of("name", name, "uid", uid));
        }
    }

    private QueueEngine engine(String store) {
        QueueEngine engine = engines.get(store);
        if (engine == null) {
            throw new QueueException(
                    QueueErrorCode.INTERNAL, "a queue has partitions in the store '" + store + "', which is not here");
        }
        return engine;
    }

    /** Returns the stores of the partitions; none if there is no such queue any more. */
    private static List<String> begin(QueueEngine engine, String name, long uid) throws SQLException {
        try (Borrowed borrowed = engine.background.connection();
                PreparedStatement statement = sql(engine, "delete_begin")
                        .prepareOnce(borrowed.connection(), Map.of("name", name, "uid", uid));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? QueueRows.stores(row) : List.of();
        }
    }

    /** Goes on with deletes that were not finished. Nobody waits for that: a store that it takes may be away. */
    private void finishDeletes() {
        if (finishing.compareAndSet(false, true)) {
            Futures.whenDone(
                    home.background.runPatiently(() -> {
                        halfDeleted().forEach(this::tryFinishDelete);
                        return true;
                    }),
                    (done, failure) -> finishing.set(false));
        }
    }

    private void tryFinishDelete(String name, long uid) {
        try {
            finishDelete(name, uid);
        } catch (SQLException | QueueException e) {
            log.debug("event=delete_not_finished queue={}", name, e);
        }
    }

    /** The uids of queues whose deletion was not finished, by name. */
    private Map<String, Long> halfDeleted() throws SQLException {
        Map<String, Long> found = new LinkedHashMap<>();
        try (Borrowed borrowed = home.background.connection();
                PreparedStatement statement = sql(home, "half_deleted").prepareOnce(borrowed.connection(), Map.of());
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.put(Rows.text(row, "name"), row.getLong("uid"));
            }
        }
        return found;
    }

    private static Map<String, @Nullable Object> values(QueueConfig config, List<String> stores) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("name", config.name());
        values.put("namespace", config.namespace());
        values.put("lease_timeout_ns", config.leaseTimeout().toNanos());
        values.put("expire_timeout_ns", config.expireTimeout().toNanos());
        values.put("dead_queue", config.deadQueue());
        values.put("max_attempts", (long) config.maxAttempts());
        values.put("reference", config.reference());
        values.put("partitions", (long) config.partitions());
        values.put("stores", stores.toArray(new String[0]));
        values.put("hash", QueueHash.of(config.name()));
        return values;
    }

    private static Map<String, @Nullable Object> copyValues(QueueRecord record) {
        Map<String, @Nullable Object> values = values(record.info().config(), record.stores());
        values.put("created_us", QueueRows.micros(record.info().createdAt()));
        values.put("updated_us", QueueRows.micros(record.info().updatedAt()));
        values.put("uid", record.uid());
        values.put("version", record.version());
        return values;
    }

    private static Optional<QueueRecord> first(List<QueueRecord> records) {
        return records.stream().findFirst();
    }

    private static List<QueueRecord> query(
            QueueEngine engine, String statementName, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        List<QueueRecord> records = new ArrayList<>();
        try (Borrowed borrowed = engine.background.connection();
                PreparedStatement statement =
                        sql(engine, statementName).prepareOnce(borrowed.connection(), withNow(engine, values));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                records.add(QueueRows.queue(row));
            }
        }
        return records;
    }

    private static void execute(
            QueueEngine engine, String statementName, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        try (Borrowed borrowed = engine.background.connection();
                PreparedStatement statement =
                        sql(engine, statementName).prepareOnce(borrowed.connection(), withNow(engine, values))) {
            statement.execute();
        }
    }

    private static Map<String, @Nullable Object> withNow(
            QueueEngine engine, Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> all = new HashMap<>(values);
        all.put("now", engine.config().clock().now());
        return all;
    }

    private static Sql sql(QueueEngine engine, String name) {
        return Sql.load("queue/" + name, engine.config().tables().placeholders());
    }
}
