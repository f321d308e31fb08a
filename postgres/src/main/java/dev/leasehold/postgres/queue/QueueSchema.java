package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.Transaction;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The table in which queues are written down. Creating it is a step of its own, safe to repeat and to race; people who run their
 * own migrations take the text of {@link #sql} instead. The tables of items come and go with their queues.
 */
public final class QueueSchema {
    private static final String NOT_NULL_VIOLATION = "23502";

    private QueueSchema() {}

    /** Creates what is missing, with the default name. */
    public static void create(DataSource dataSource) {
        create(dataSource, QueueTables.DEFAULT);
    }

    /** Creates what is missing. If nothing is, it locks nothing. */
    public static void create(DataSource dataSource, QueueTables tables) {
        try (Connection connection = dataSource.getConnection()) {
            Transaction.run(connection, transaction -> createMissing(transaction, tables));
        } catch (SQLException e) {
            throw NOT_NULL_VIOLATION.equals(e.getSQLState()) ? othersRows(tables, e) : QueueFailures.map(e);
        }
    }

    private static boolean createMissing(Connection connection, QueueTables tables) throws SQLException {
        boolean complete = isComplete(connection, tables);
        if (!complete) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(hashtext('leasehold.schema'))");
                statement.execute(sql(tables));
            }
        }
        return !complete;
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

    /** Whether everything is there that the statements need. */
    public static boolean isComplete(Connection connection, QueueTables tables) throws SQLException {
        Map<String, String> names = tables.placeholders();
        try (PreparedStatement statement = Sql.load("queue/schema_check", names).prepareOnce(connection, names);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean("complete");
        }
    }

    /** The schema as plain SQL, idempotent. */
    public static String sql(QueueTables tables) {
        return Sql.read("queue/schema", tables.placeholders());
    }
}
