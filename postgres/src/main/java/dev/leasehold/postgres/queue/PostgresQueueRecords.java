package dev.leasehold.postgres.queue;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.QueueRecords;
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
    private final QueueDeletion deletes;

    /** @param engines by the name of their store; the first has the truth */
    PostgresQueueRecords(Map<String, QueueEngine> engines) {
        this.engines = new LinkedHashMap<>(engines);
        this.homeName = engines.keySet().iterator().next();
        this.home = engines.values().iterator().next();
        this.deletes = new QueueDeletion(this.engines, home);
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> create(QueueConfig config, List<String> stores) {
        CompletableFuture<Optional<QueueRecord>> made = home.background.run(() -> {
            Map<String, @Nullable Object> values = values(config, stores);
            values.put("tells_timeline", home.timelines.isTold());
            Optional<QueueRecord> created = RecordStatements.change(home, "create", values, QueueRows::queue);
            Long halfDeleted =
                    created.isPresent() ? null : QueueDeletion.unfinished(home).get(config.name());
            if (halfDeleted != null) {
                deletes.finish(config.name(), halfDeleted);
                created = RecordStatements.change(home, "create", values, QueueRows::queue);
            }
            if (created.isEmpty() && isHashTaken(config.name())) {
                throw new QueueException(
                        QueueErrorCode.INTERNAL,
                        "the tables of queue '" + config.name()
                                + "' would have the names of another queue's tables; choose another name");
            }
            return created;
        });
        return made.thenCompose(this::copied);
    }

    /** Whether the tables of another queue have the names that those of this one would have. */
    private boolean isHashTaken(String name) throws SQLException {
        return RecordStatements.change(
                        home, "hash_taken", Map.of("name", name, "hash", QueueHash.of(name)), row -> true)
                .isPresent();
    }

    private Optional<QueueRecord> find(String name) throws SQLException {
        return first(RecordStatements.query(home, "get", Map.of("name", name)));
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> get(String name) {
        return home.background.run(() -> find(name));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> list(QueueListing listing) {
        return page(listing.pivot(), "", listing.namespace(), listing.limit());
    }

    private CompletableFuture<List<QueueRecord>> page(
            String pivot, String excluded, @Nullable String namespace, int limit) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("pivot", pivot);
        values.put("excluded", excluded);
        values.put("namespace", namespace);
        values.put("limit", (long) limit);
        return home.background.run(() -> RecordStatements.query(home, "list", values));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> all(String after, int limit) {
        if (after.isEmpty()) {
            deletes.finishAll();
        }
        return page(after, after, null, limit);
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> update(
            QueueRecord current, QueueConfig config, List<String> stores) {
        Map<String, @Nullable Object> values = values(config, stores);
        values.put("version", current.version());
        return home.background
                .run(() -> {
                    Optional<QueueRecord> updated = RecordStatements.change(home, "update", values, QueueRows::queue);
                    if (updated.isEmpty()) {
                        home.timelines.bringUp(current.name(), current.uid(), true);
                    }
                    return updated;
                })
                .thenCompose(this::copied);
    }

    @Override
    public CompletableFuture<Boolean> delete(String name) {
        return home.background.runPatiently(() -> {
            Optional<QueueRecord> there = find(name);
            return there.isPresent() && deletes.finish(name, there.get().uid());
        });
    }

    @Override
    public CompletableFuture<Void> checkWritable() {
        return home.background
                .run(() -> {
                    RecordStatements.execute(home, "check_writable", Map.of());
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> refresh(QueueRecord record, String store) {
        return home.background
                .run(() -> {
                    home.timelines.bringUp(record.name(), record.uid(), true);
                    return find(record.name());
                })
                .thenCompose(current ->
                        current.isPresent() ? copy(current.get(), store) : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> copy(QueueRecord record, String store) {
        QueueEngine engine = engines.get(store);
        if (engine == null || engine == home) {
            return CompletableFuture.completedFuture(null);
        }
        return engine.background
                .run(() -> {
                    Map<String, @Nullable Object> values = copyValues(record);
                    values.put("tells_timeline", engine.timelines.isTold());
                    RecordStatements.execute(engine, "copy", values);
                    if (finishFormer(engine, record)) {
                        RecordStatements.execute(engine, "copy", values);
                    }
                    engine.timelines.bringUp(record.name(), record.uid(), false);
                    removeIfLate(engine, record);
                    return true;
                })
                .thenAccept(done -> {});
    }

    /**
     * A copy of the queue that had the name before, marked as deleted by a node that did not finish, takes the place of this one.
     * Returns whether there was one.
     */
    private boolean finishFormer(QueueEngine engine, QueueRecord record) throws SQLException {
        Long former = QueueDeletion.unfinished(engine).get(record.name());
        if (former == null || former == record.uid()) {
            return false;
        }
        deletes.finishCopy(engine, record.name(), former);
        return true;
    }

    /** A copy that arrives when the queue has been deleted would stay for ever, and serve nodes that do not know of the deletion. */
    private void removeIfLate(QueueEngine engine, QueueRecord record) throws SQLException {
        if (!deletes.isLive(record.name(), record.uid())) {
            deletes.finishCopy(engine, record.name(), record.uid());
        }
    }

    /** Writes the copies that can be written; the others are written when their store is back. */
    private CompletableFuture<Optional<QueueRecord>> copied(Optional<QueueRecord> record) {
        List<CompletableFuture<Void>> copies = new ArrayList<>();
        record.ifPresent(written -> others(written.stores())
                .forEach(store -> copies.add(copy(written, store).exceptionally(failure -> null))));
        return CompletableFuture.allOf(copies.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> record);
    }

    /** Which of the stores of partitions are not home. */
    private Set<String> others(List<String> stores) {
        Set<String> others = new LinkedHashSet<>(stores);
        others.remove(homeName);
        return others;
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
}
