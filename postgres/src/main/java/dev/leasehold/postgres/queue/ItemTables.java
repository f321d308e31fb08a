package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.StaleQueueException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The tables of partitions in one database: made when something is first put into them, dropped with their queue. */
final class ItemTables {
    private final Background background;
    private final QueueTables tables;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    ItemTables(Background background, QueueTables tables) {
        this.background = background;
        this.tables = tables;
    }

    boolean isKnown(PartitionRef partition) {
        return known.contains(QueueTables.items(partition));
    }

    void forget(PartitionRef partition) {
        known.remove(QueueTables.items(partition));
    }

    /** Finds out which of these have a table. */
    void find(List<PartitionRef> partitions) throws SQLException {
        String[] names = partitions.stream()
                .map(partition -> QueueTables.quoted(QueueTables.items(partition)))
                .toArray(String[]::new);
        Sql exist = Sql.load("queue/items_exist", tables.placeholders());
        try (Borrowed borrowed = background.connection();
                PreparedStatement statement = exist.prepareOnce(borrowed.connection(), Map.of("tables", names));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String quoted = row.getString(1);
                known.add(quoted.substring(1, quoted.length() - 1));
            }
        }
    }

    /** Sees to it that a partition has a table. To look first matters: making what is there would wait for everybody's writes. */
    boolean ensure(PartitionRef partition) throws SQLException {
        find(List.of(partition));
        if (!isKnown(partition)) {
            make(partition);
        }
        return true;
    }

    /** Makes the table of a partition, unless somebody has; fails if the queue is not as the caller knows it. */
    private void make(PartitionRef partition) throws SQLException {
        Map<String, Object> which = Map.of(
                "queue", partition.queue().name(), "version", partition.queue().version());
        inTransaction(connection -> {
            if (!isThere(connection, "queue/lock_queue", which)) {
                throw new StaleQueueException(partition);
            }
            make(connection, partition);
            return partition;
        });
        known.add(QueueTables.items(partition));
    }

    private void make(Connection connection, PartitionRef partition) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("select pg_advisory_xact_lock(hashtext(?))");
                Statement statement = connection.createStatement()) {
            lock.setString(1, "leasehold." + QueueTables.items(partition));
            lock.execute();
            statement.execute(Sql.read("queue/items", tables.placeholders(partition)));
        }
    }

    /**
     * Drops the tables of a deleted queue, one by one: all at once would need more locks than a server has. Stops when somebody
     * else has finished the deletion: a table of the same name may then belong to a new queue.
     */
    void drop(String queue, long uid, int partitions) throws SQLException {
        String hash = QueueHash.of(queue);
        boolean deleted = true;
        for (int i = 0; i < partitions && deleted; i++) {
            known.remove(QueueTables.items(hash, i));
            deleted = dropOne(queue, uid, tables.placeholders(hash, i));
        }
    }

    private boolean dropOne(String queue, long uid, Map<String, String> placeholders) throws SQLException {
        return inTransaction(connection -> {
            boolean deleted = isThere(connection, "queue/lock_deleted", Map.of("name", queue, "uid", uid));
            if (deleted) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(Sql.read("queue/items_drop", placeholders));
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

    private <R> R inTransaction(Work<R> work) throws SQLException {
        try (Borrowed borrowed = background.connection()) {
            Connection connection = borrowed.connection();
            connection.setAutoCommit(false);
            try {
                R result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** What is done in one transaction. */
    private interface Work<R> {
        R run(Connection connection) throws SQLException;
    }
}
