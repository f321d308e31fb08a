package dev.leasehold.postgres.lock;

import dev.leasehold.postgres.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The tables that locks need. Creating them is a step of its own, safe to repeat and to race; people who run their own
 * migrations take the text of {@link #sql} instead.
 */
public final class LockSchema {
    private LockSchema() {}

    /** Creates what is missing, with the default names. */
    public static void create(DataSource dataSource) {
        create(dataSource, LockTables.DEFAULT);
    }

    /** Creates what is missing. If nothing is, it locks nothing. */
    public static void create(DataSource dataSource, LockTables tables) {
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
            throw LockFailures.map(e);
        }
    }

    /** Whether everything is there that the statements need. */
    public static boolean isComplete(Connection connection, LockTables tables) throws SQLException {
        Sql check = Sql.load("lock/schema_check", tables.placeholders());
        Map<String, String> names = Map.of(
                "locks", "\"" + tables.locks() + "\"",
                "fences", "\"" + tables.fences() + "\"",
                "waiters", "\"" + tables.locks() + "_waiters\"");
        try (PreparedStatement statement = check.prepareOnce(connection, names);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean("complete");
        }
    }

    /** The schema as plain SQL, idempotent. */
    public static String sql(LockTables tables) {
        return Sql.read("lock/schema", tables.placeholders());
    }
}
