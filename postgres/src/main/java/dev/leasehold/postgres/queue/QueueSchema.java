package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.SchemaMigrator;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The table of queues. It is created by versioned .sql files, which {@link #create} runs. If you run your own migrations with Flyway or
 * Liquibase, let them run the same files: they are in {@code dev/leasehold/postgres/migrations} of this jar. The tables of items are
 * created and dropped with their queues.
 */
public final class QueueSchema {
    private static final String NOT_NULL_VIOLATION = "23502";

    private QueueSchema() {}

    /** Creates what is missing, with the default name. */
    public static void create(DataSource dataSource) {
        create(dataSource, QueueTables.DEFAULT);
    }

    /** Creates what is missing. Safe to repeat, and to run on many nodes at once; takes no lock if nothing is missing. */
    public static void create(DataSource dataSource, QueueTables tables) {
        try {
            migrator(tables).migrate(dataSource);
        } catch (SQLException e) {
            throw NOT_NULL_VIOLATION.equals(e.getSQLState()) ? othersRows(tables, e) : QueueFailures.map(e);
        }
    }

    private static SchemaMigrator migrator(QueueTables tables) {
        return new SchemaMigrator(
                tables.queues(),
                List.of("V2__queues"),
                tables.insteadOfDefaults(),
                connection -> isComplete(connection, tables),
                QueueFailures.INSTANCE);
    }

    /** Rows that lack what Leasehold adds: another program's, such as Querator's. */
    private static QueueException othersRows(QueueTables tables, SQLException e) {
        return new QueueException(
                QueueErrorCode.INVALID_ARGUMENT,
                "the table \"" + tables.queues() + "\" has rows that are not of Leasehold, perhaps of Querator:"
                        + " their queues cannot be taken over. Nothing was changed. Put Leasehold's tables into a schema of their own"
                        + " (currentSchema=... in the URL of the database), or choose another name for the table"
                        + " (QueueTables), or empty the table if its queues are not needed any more",
                e);
    }

    /** Whether every table, column and index exists that the statements need. */
    public static boolean isComplete(Connection connection, QueueTables tables) throws SQLException {
        Map<String, String> names = tables.placeholders();
        try (PreparedStatement statement = Sql.load("queue/schema_check", names).prepareOnce(connection, names);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean("complete");
        }
    }

    /** The versioned files with these names of tables, one after the other. Idempotent. */
    public static String sql(QueueTables tables) {
        return migrator(tables).sql();
    }
}
