package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListing;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.QueueRecords;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The records of queues. The first store has the truth; every other has a copy of the records of queues with partitions in it,
 * because each statement on items checks the version in its own database.
 *
 * <p>A change is written to the first store, then to the copies. A copy that could not be written is old: the next call on a
 * partition there notices, and {@link #refresh} writes it. Until then that store does nothing for the queue.
 */
final class PostgresQueueRecords implements QueueRecords {
    private final Map<String, QueueEngine> engines;
    private final QueueEngine home;
    private final String homeName;

    /** @param engines by the name of their store; the first has the truth */
    PostgresQueueRecords(Map<String, QueueEngine> engines) {
        this.engines = new LinkedHashMap<>(engines);
        this.homeName = engines.keySet().iterator().next();
        this.home = engines.values().iterator().next();
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> create(QueueConfig config, List<String> stores) {
        return home.inBackground(() -> {
            Optional<QueueRecord> created = first(query(home, "create", values(config, stores)));
            if (created.isEmpty() && isHalfDeleted(config.name())) {
                finishDelete(config.name());
                created = first(query(home, "create", values(config, stores)));
            }
            if (created.isEmpty()
                    && query(home, "get", Map.of("name", config.name())).isEmpty()) {
                throw new QueueException(
                        QueueErrorCode.INTERNAL,
                        "the tables of queue '" + config.name()
                                + "' would have the names of another queue's tables; choose another name");
            }
            created.ifPresent(this::copy);
            return created;
        });
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> get(String name) {
        return home.inBackground(() -> first(query(home, "get", Map.of("name", name))));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> list(QueueListing listing) {
        return home.inBackground(() ->
                query(home, "list", Map.of("pivot", listing.pivot(), "namespace", listing.namespace(), "limit", (long)
                        listing.limit())));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> all(String after, int limit) {
        return home.inBackground(() -> {
            if (after.isEmpty()) {
                finishDeletes();
            }
            return query(home, "all", Map.of("after", after, "limit", (long) limit));
        });
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> update(
            QueueRecord current, QueueConfig config, List<String> stores) {
        return home.inBackground(() -> {
            Map<String, @Nullable Object> values = values(config, stores);
            values.put("version", current.version());
            Optional<QueueRecord> updated = first(query(home, "update", values));
            updated.ifPresent(this::copy);
            return updated;
        });
    }

    @Override
    public CompletableFuture<Boolean> delete(String name) {
        return home.inBackground(() -> {
            boolean there = !query(home, "get", Map.of("name", name)).isEmpty();
            if (there) {
                finishDelete(name);
            }
            return there;
        });
    }

    @Override
    public CompletableFuture<Void> refresh(QueueRecord record, String store) {
        QueueEngine engine = engines.get(store);
        if (engine == null || engine == home) {
            return CompletableFuture.completedFuture(null);
        }
        return engine.inBackground(() -> {
                    execute(engine, "copy", copyValues(record));
                    return true;
                })
                .thenAccept(done -> {});
    }

    /** Writes the copies that can be written; the others are written when their store is back. */
    private void copy(QueueRecord record) {
        record.stores().stream()
                .distinct()
                .filter(store -> !store.equals(homeName))
                .forEach(store ->
                        refresh(record, store).exceptionally(failure -> null).join());
    }

    /** Marks a queue as deleted, drops its tables wherever they are, and lets go of its name. May be repeated. */
    private void finishDelete(String name) throws SQLException {
        int partitions = begin(home, name);
        for (QueueEngine engine : engines.values()) {
            if (engine != home) {
                begin(engine, name);
            }
            try (Connection connection = connection(engine)) {
                engine.itemTables.drop(connection, name, partitions);
            }
        }
        for (QueueEngine engine : engines.values()) {
            execute(engine, "delete_end", Map.of("name", name));
        }
    }

    private static int begin(QueueEngine engine, String name) throws SQLException {
        try (Connection connection = connection(engine);
                PreparedStatement statement =
                        sql(engine, "delete_begin").prepareOnce(connection, Map.of("name", name));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getInt("partitions") : 0;
        }
    }

    private boolean isHalfDeleted(String name) throws SQLException {
        return halfDeleted().contains(name);
    }

    private void finishDeletes() throws SQLException {
        for (String name : halfDeleted()) {
            finishDelete(name);
        }
    }

    private List<String> halfDeleted() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = connection(home);
                PreparedStatement statement = sql(home, "half_deleted").prepareOnce(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                names.add(row.getString("name"));
            }
        }
        return names;
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
        try (Connection connection = connection(engine);
                PreparedStatement statement =
                        sql(engine, statementName).prepareOnce(connection, withNow(engine, values));
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
        try (Connection connection = connection(engine);
                PreparedStatement statement =
                        sql(engine, statementName).prepareOnce(connection, withNow(engine, values))) {
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

    /** A connection on which every statement commits for itself. */
    private static Connection connection(QueueEngine engine) throws SQLException {
        Connection connection = engine.config().dataSource().getConnection();
        connection.setAutoCommit(true);
        return connection;
    }
}
