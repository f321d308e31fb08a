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
import javax.sql.DataSource;

/** The tables of partitions in one database: made when something is first put into them, dropped with their queue. */
final class ItemTables {
    private final DataSource dataSource;
    private final QueueTables tables;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    ItemTables(DataSource dataSource, QueueTables tables) {
        this.dataSource = dataSource;
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
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = exist.prepareOnce(connection, Map.of("tables", names));
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
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                lockQueue(connection, partition);
                make(connection, partition);
                connection.commit();
                known.add(QueueTables.items(partition));
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private void lockQueue(Connection connection, PartitionRef partition) throws SQLException {
        Map<String, Object> which = Map.of(
                "queue", partition.queue().name(), "version", partition.queue().version());
        try (PreparedStatement statement =
                        Sql.load("queue/lock_queue", tables.placeholders()).prepareOnce(connection, which);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new StaleQueueException(partition);
            }
        }
    }

    private void make(Connection connection, PartitionRef partition) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("select pg_advisory_xact_lock(hashtext(?))");
                Statement statement = connection.createStatement()) {
            lock.setString(1, "leasehold." + QueueTables.items(partition));
            lock.execute();
            statement.execute(Sql.read("queue/items", tables.placeholders(partition)));
        }
    }

    /** Drops the tables of a queue, one by one: all at once would need more locks than a server has. */
    void drop(Connection connection, String queue, int partitions) throws SQLException {
        String hash = QueueHash.of(queue);
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < partitions; i++) {
                known.remove(QueueTables.items(hash, i));
                statement.execute(Sql.read("queue/items_drop", tables.placeholders(hash, i)));
            }
        }
    }
}
