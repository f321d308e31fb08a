package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.Lane;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs the statements of a partition as the engine's connections do: with their settings, prepared, by a generic plan. */
final class Plans implements AutoCloseable {
    private static final String BLOCKS =
            "select sum(pg_stat_get_xact_blocks_fetched(oid)) from pg_class where oid in (%s)";
    private final Connection connection;
    private final PartitionRef partition;
    private final PartitionSql statements = new PartitionSql(QueueTables.DEFAULT);

    Plans(DataSource dataSource, PartitionRef partition) throws SQLException {
        this.connection = Db.transaction(dataSource);
        this.partition = partition;
        Db.execute(connection, "select " + Lane.settings("false", 60_000));
        connection.commit();
    }

    /** The plan of a statement, without quotes. */
    String explain(String name, @Nullable PartitionRef dead, Map<String, Object> values) throws SQLException {
        StringBuilder plan = new StringBuilder();
        String execute = prepare(name, dead, values);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("explain " + execute)) {
            while (row.next()) {
                plan.append(row.getString(1).replace("\"", "")).append('\n');
            }
        }
        connection.rollback();
        return plan.toString();
    }

    /** How many blocks of the table and its indexes a statement reads after {@code before}; both are undone. */
    long blocks(String before, String name, @Nullable PartitionRef dead, Map<String, Object> values)
            throws SQLException {
        String table = "'" + QueueTables.quoted(QueueTables.items(partition)) + "'::regclass";
        Db.execute(connection, before);
        return blocks(
                name, dead, values, table + " union all select indexrelid from pg_index where indrelid = " + table);
    }

    /** How many blocks of out-of-line payloads a statement reads; it is undone. */
    long toastBlocks(String name, @Nullable PartitionRef dead, Map<String, Object> values) throws SQLException {
        String table = "'" + QueueTables.quoted(QueueTables.items(partition)) + "'::regclass";
        String toast = "reltoastrelid from pg_class where oid = " + table;
        return blocks(
                name,
                dead,
                values,
                toast + " union all select i.indexrelid from pg_class c join pg_index i on i.indrelid = c.reltoastrelid"
                        + " where c.oid = " + table);
    }

    private long blocks(String name, @Nullable PartitionRef dead, Map<String, Object> values, String relations)
            throws SQLException {
        String execute = prepare(name, dead, values);
        String fetched = BLOCKS.formatted("select " + relations);
        long before = Db.number(connection, fetched);
        Db.execute(connection, execute);
        long blocks = Db.number(connection, fetched) - before;
        connection.rollback();
        return blocks;
    }

    /** Prepares a statement and returns how to execute it. */
    private String prepare(String name, @Nullable PartitionRef dead, Map<String, Object> values) throws SQLException {
        boolean buries = List.of("retry", "sweep").contains(name);
        Sql sql = buries ? statements.get(name, partition, dead) : statements.get(name, partition);
        String text = Sql.message(List.of(sql), "");
        for (int i = 1; text.contains("?"); i++) {
            text = text.replaceFirst("\\?", "\\$" + i);
        }
        Db.execute(connection, "deallocate all");
        String types = sql.parameters().stream()
                .map(parameter -> type(values.get(parameter)))
                .collect(Collectors.joining(", "));
        Db.execute(connection, "prepare statement (" + types + ") as " + text);
        return sql.parameters().stream()
                .map(parameter -> literal(values.get(parameter)))
                .collect(Collectors.joining(", ", "execute statement (", ")"));
    }

    private static String type(@Nullable Object value) {
        if (value == null) {
            return "unknown";
        }
        return value instanceof Long ? "int8" : value instanceof String ? "varchar" : "int8[]";
    }

    private static String literal(@Nullable Object value) {
        if (value instanceof long[] numbers) {
            return "'" + Arrays.toString(numbers).replace('[', '{').replace(']', '}') + "'";
        }
        return value == null ? "null" : "'" + value + "'";
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
