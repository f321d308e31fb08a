package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that locks need. Creating them is a step of its own, safe to repeat and to race; people who run their own
 * migrations take the text of {@link #sql} instead.
 */
public final class LockSchema {
    private static final Logger log = LoggerFactory.getLogger(LockSchema.class);

    private LockSchema() {}

    /** Creates what is missing, with the default names. */
    public static void create(DataSource dataSource) {
        create(dataSource, LockTables.DEFAULT);
    }

    /** Creates what is missing. If nothing is, it locks nothing. */
    public static void create(DataSource dataSource, LockTables tables) {
        inTransaction(dataSource, connection -> {
            if (isComplete(connection, tables)) {
                return false;
            }
            alone(connection);
            execute(connection, sql(tables));
            return true;
        });
    }

    /**
     * Creates a view of that name for readers of LockServiceCentral's table: {@code lock_id}, {@code namespace},
     * {@code lock_name}, {@code owner}, {@code instance_id}, {@code lease_duration} and {@code expiry}, in seconds. Shows the
     * locks that have a holder and a {@code :} in their key. The tables must be there; repeating it changes nothing.
     *
     * @return whether the view is there; false, and a warning is logged, if something else has that name: it is left alone
     */
    public static boolean createView(DataSource dataSource, LockTables tables, String view) {
        checkView(tables, view);
        boolean there = inTransaction(dataSource, connection -> {
            alone(connection);
            char found = lookAtView(connection, tables, view);
            if (found == 'n') {
                execute(connection, viewSql(tables, view));
            }
            return found != 'e';
        });
        if (!there) {
            log.warn(
                    "event=lock_view_not_created name={} because=\"something else has that name, it was left alone\"",
                    view);
        }
        return there;
    }

    private static void checkView(LockTables tables, String view) {
        LockTables.check(view, "Invalid view name - must be a valid SQL identifier");
        if (view.equals(tables.locks()) || view.equals(tables.fences())) {
            throw LockException.invalidArgument("The view must not have the name of a lock table, got " + view);
        }
    }

    private static char lookAtView(Connection connection, LockTables tables, String view) throws SQLException {
        Map<String, String> names = Map.of("view", LockTables.quoted(view), "locks_name", tables.locks());
        try (PreparedStatement statement =
                        Sql.load("lock/view_check", tables.placeholders()).prepareOnce(connection, names);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return Rows.text(row, "found").charAt(0);
        }
    }

    /** One schema step at a time, whoever does it. */
    private static void alone(Connection connection) throws SQLException {
        execute(connection, "select pg_advisory_xact_lock(hashtext('leasehold.schema'))");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean inTransaction(DataSource dataSource, Transaction.Work<Boolean> step) {
        try (Connection connection = dataSource.getConnection()) {
            return Transaction.run(connection, step);
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

    /** The view of {@link #createView} as plain SQL. */
    public static String viewSql(LockTables tables, String view) {
        checkView(tables, view);
        Map<String, String> names = new HashMap<>(tables.placeholders());
        names.put("view", LockTables.quoted(view));
        names.put("locks_name", tables.locks());
        return Sql.read("lock/view", names);
    }
}
