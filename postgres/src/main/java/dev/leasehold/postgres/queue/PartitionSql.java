package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The SQL of the statements on partitions, with their table names filled in; each file is read when first needed. */
final class PartitionSql {
    private final QueueTables tables;
    private final Map<String, Map<String, Sql>> byTable = new ConcurrentHashMap<>();

    PartitionSql(QueueTables tables) {
        this.tables = tables;
    }

    private Map<String, Sql> of(PartitionRef partition) {
        return byTable.computeIfAbsent(QueueTables.items(partition), table -> new ConcurrentHashMap<>());
    }

    void forget(PartitionRef partition) {
        byTable.remove(QueueTables.items(partition));
    }

    /** Of how many partitions there are statements. */
    int partitions() {
        return byTable.size();
    }

    Sql get(String name, PartitionRef partition) {
        return of(partition).computeIfAbsent(name, key -> Sql.load("queue/" + name, tables.placeholders(partition)));
    }

    /** A statement that moves dead items to the table of the dead queue, or only deletes them if there is none. */
    Sql get(String name, PartitionRef partition, @Nullable PartitionRef dead) {
        String where = dead == null ? "" : QueueTables.quoted(QueueTables.items(dead));
        return of(partition).computeIfAbsent(name + " " + where, key -> {
            Map<String, String> all = new HashMap<>(tables.placeholders(partition));
            all.put("dead", where);
            all.put("dead_letters", dead == null ? "queue/no_dead_letters" : "queue/insert_dead_letters");
            return Sql.load("queue/" + name, all);
        });
    }
}
