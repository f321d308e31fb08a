package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
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
    private QueueSchema() {}

    /** Creates what is missing, with the default name. */
    public static void create(DataSource dataSource) {
        create(dataSource, QueueTables.DEFAULT);
    }

    /** Creates what is missing. If nothing is, it locks nothing. */
    public static void create(DataSource dataSource, QueueTables tables) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                if (!isComplete(connection, tables)) {
                    statement.execute("select pg_advisory_xact_lock(hashtext('leasehold.schema'))");
                    statement.execute(sql(tables));
                }
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw QueueFailures.map(e);
        }
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
