package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The statements of partitions, each read from its file when first needed. */
final class Statements {
    private final QueueTables tables;
    private final Map<String, Sql> known = new ConcurrentHashMap<>();

    Statements(QueueTables tables) {
        this.tables = tables;
    }

    Sql get(String name, PartitionRef partition) {
        return known.computeIfAbsent(
                name + " " + QueueTables.items(partition),
                key -> Sql.load("queue/" + name, tables.placeholders(partition)));
    }

    /** A statement that buries its dead in the table of the dead queue, or forgets them. */
    Sql get(String name, PartitionRef partition, @Nullable PartitionRef dead) {
        String where = dead == null ? "" : QueueTables.quoted(QueueTables.items(dead));
        return known.computeIfAbsent(name + " " + QueueTables.items(partition) + " " + where, key -> {
            Map<String, String> all = new HashMap<>(tables.placeholders(partition));
            all.put("dead", where);
            all.put("bury", Sql.piece(dead == null ? "queue/forget" : "queue/bury", all));
            return Sql.load("queue/" + name, all);
        });
    }
}
