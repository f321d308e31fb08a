package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.SchemaMigrator;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of locks. They are created by versioned .sql files, which {@link #create} runs. If you run your own migrations with Flyway or
 * Liquibase, let them run the same files: they are in {@code dev/leasehold/postgres/migrations} of this jar.
 */
public final class LockSchema {
    private static final Logger log = LoggerFactory.getLogger(LockSchema.class);

    private LockSchema() {}

    /** Creates what is missing, with the default names. */
    public static void create(DataSource dataSource) {
        create(dataSource, LockTables.DEFAULT);
    }

    /** Creates what is missing. Safe to repeat, and to run on many nodes at once; takes no lock if nothing is missing. */
    public static void create(DataSource dataSource, LockTables tables) {
        try {
            migrator(tables).migrate(dataSource);
        } catch (SQLException e) {
            throw LockFailures.map(e);
        }
    }

    private static SchemaMigrator migrator(LockTables tables) {
        return new SchemaMigrator(
                tables.locks(),
                List.of("V1__locks"),
                tables.insteadOfDefaults(),
                connection -> isComplete(connection, tables),
                LockFailures.INSTANCE);
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
            SchemaMigrator.lock(connection);
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

    /** The versioned files with these names of tables, one after the other. Idempotent. */
    public static String sql(LockTables tables) {
        return migrator(tables).sql();
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
