package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.Transaction;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The tables of partitions in one database: made when something is first put into them, dropped with their queue. */
final class ItemTables {
    private final BackgroundExecutor background;
    private final QueueTables tables;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    ItemTables(BackgroundExecutor background, QueueTables tables) {
        this.background = background;
        this.tables = tables;
    }

    boolean isKnown(PartitionRef partition) {
        return known.contains(QueueTables.items(partition));
    }

    void forget(PartitionRef partition) {
        known.remove(QueueTables.items(partition));
    }

    /** Finds out which of these have a table. One that an earlier version has made gets what it lacks. */
    void find(List<PartitionRef> partitions) throws SQLException {
        Set<String> outdated = look(partitions);
        for (PartitionRef partition : partitions) {
            if (outdated.contains(QueueTables.items(partition))) {
                make(partition);
            }
        }
    }

    /** An existing table, and whether it has every column. */
    private record Found(String quoted, boolean isComplete) {
        String name() {
            return quoted.substring(1, quoted.length() - 1);
        }
    }

    /** Takes note of the tables that are there; returns those that lack a column. */
    private Set<String> look(List<PartitionRef> partitions) throws SQLException {
        Set<String> outdated = new HashSet<>();
        String[] names = partitions.stream()
                .map(partition -> QueueTables.quoted(QueueTables.items(partition)))
                .toArray(String[]::new);
        Sql exist = Sql.load("queue/find_item_tables", tables.placeholders());
        List<Found> found = background.query(
                exist,
                Map.of("tables", names),
                row -> new Found(Rows.text(row, "name"), row.getBoolean("is_complete")));
        found.forEach(table -> (table.isComplete ? known : outdated).add(table.name()));
        return outdated;
    }

    /** Creates the table of a partition if it does not exist. It looks first, because the DDL waits for all writers of the table. */
    boolean ensure(PartitionRef partition) throws SQLException {
        find(List.of(partition));
        if (!isKnown(partition)) {
            make(partition);
        }
        return true;
    }

    /** Creates the table of a partition if it does not exist; fails if the version or uid of the queue has changed. */
    private void make(PartitionRef partition) throws SQLException {
        QueueRecord queue = partition.queue();
        Map<String, Object> which = Map.of("queue", queue.name(), "version", queue.version(), "uid", queue.uid());
        background.untilUnlocked(() -> inTransaction(connection -> {
            if (!isThere(connection, "queue/lock_queue", which)) {
                throw new StaleQueueException(partition);
            }
            make(connection, partition);
            start(connection, partition);
            return partition;
        }));
        known.add(QueueTables.items(partition));
    }

    private void start(Connection connection, PartitionRef partition) throws SQLException {
        Sql start = Sql.load("queue/start_item_sequence", tables.placeholders(partition));
        try (PreparedStatement statement =
                start.prepareOnce(connection, Map.of("queue", partition.queue().name()))) {
            statement.execute();
        }
    }

    private void make(Connection connection, PartitionRef partition) throws SQLException {
        Map<String, String> placeholders = tables.placeholders(partition);
        try (Statement statement = connection.createStatement()) {
            statement.execute(Sql.read("queue/lock_item_table", placeholders));
            chooseSchema(connection, partition);
            statement.execute(Sql.read("queue/create_item_table", placeholders));
        }
    }

    private void chooseSchema(Connection connection, PartitionRef partition) throws SQLException {
        Sql choose = Sql.load("queue/choose_item_schema", tables.placeholders(partition));
        Map<String, Object> names = Map.of(
                "queues", QueueTables.quoted(tables.queues()),
                "items", QueueTables.quoted(QueueTables.items(partition)));
        try (PreparedStatement statement = choose.prepareOnce(connection, names)) {
            statement.execute();
        }
    }

    /**
     * Drops the tables of a deleted queue, one by one: all at once would need more locks than a server has. Stops when somebody
     * else has finished the deletion: a table of the same name may then belong to a new queue.
     */
    void drop(String queue, long uid) throws SQLException {
        String hash = QueueHash.of(queue);
        known.removeIf(table -> table.startsWith(QueueTables.itemsPrefix(hash)));
        Iterator<Integer> left = left(hash).iterator();
        boolean deleted = true;
        while (deleted && left.hasNext()) {
            deleted = dropOne(queue, uid, tables.placeholders(hash, left.next()));
        }
    }

    /** Which partitions have a table. None gets one any more when its queue has been marked as deleted. */
    private List<Integer> left(String hash) throws SQLException {
        Sql left = Sql.load("queue/remaining_item_tables", tables.placeholders());
        return background.query(left, Map.of("prefix", QueueTables.itemsPrefix(hash)), row -> row.getInt("number"));
    }

    private boolean dropOne(String queue, long uid, Map<String, String> placeholders) throws SQLException {
        return inTransaction(connection -> {
            boolean deleted = isThere(connection, "queue/lock_deleted_queue", Map.of("name", queue, "uid", uid));
            if (deleted) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(Sql.read("queue/drop_item_table", placeholders));
                }
            }
            return deleted;
        });
    }

    private boolean isThere(Connection connection, String query, Map<String, Object> which) throws SQLException {
        try (PreparedStatement statement =
                        Sql.load(query, tables.placeholders()).prepareOnce(connection, which);
                ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    private <R> R inTransaction(Transaction.Work<R> work) throws SQLException {
        try (BorrowedConnection borrowed = background.connection()) {
            return Transaction.run(borrowed.connection(), connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(Sql.read("queue/set_lock_timeout", tables.placeholders()));
                }
                return work.run(connection);
            });
        }
    }
}
