package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/** The caller's transaction: checks that it can be guarded, and keeps it from committing. */
public final class CallerTransaction {
    private CallerTransaction() {}

    /** Why the transaction of {@code connection} cannot be guarded, in a sentence; null if it can. Costs no I/O. */
    public static @Nullable String problem(Connection connection, String verb) throws SQLException {
        if (connection.getAutoCommit()) {
            return verb + " needs a transaction, but the connection commits by itself: call setAutoCommit(false) first";
        }
        PGConnection driver = driver(connection);
        if (driver != null && driver.getAutosave() == AutoSave.ALWAYS) {
            return verb + " needs a transaction that cannot commit once it has failed, but the connection has"
                    + " autosave=always, which rolls back single statements: use autosave=never or conservative";
        }
        return null;
    }

    private static @Nullable PGConnection driver(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class) ? connection.unwrap(PGConnection.class) : null;
    }

    /**
     * Runs something while pgjdbc's autosave is off: the driver then sets no savepoint of its own before a statement, and does not go
     * back to one when a statement fails.
     */
    public static <T> T withoutAutosave(Connection connection, Supplier<T> statements) throws SQLException {
        PGConnection driver = driver(connection);
        if (driver == null) {
            return statements.get();
        }
        AutoSave before = driver.getAutosave();
        driver.setAutosave(AutoSave.NEVER);
        try {
            return statements.get();
        } finally {
            driver.setAutosave(before);
        }
    }

    /**
     * Makes sure that the transaction does not commit, whatever the caller does. A failed statement alone is not enough: a caller
     * with a savepoint could go back to it and commit the rest. So the transaction is rolled back, which ends its savepoints, and
     * {@code failing}, a statement that always fails, begins another one that can only be rolled back.
     */
    public static void doom(Connection connection, String failing) {
        rollback(connection);
        if (!isFailing(connection, failing)) {
            throw new IllegalStateException("a statement that always fails has not failed");
        }
    }

    private static boolean isFailing(Connection connection, String statement) {
        try {
            return withoutAutosave(connection, () -> {
                try (Statement failing = connection.createStatement()) {
                    failing.execute(statement);
                    return false;
                } catch (SQLException expected) {
                    return true;
                }
            });
        } catch (SQLException e) {
            return true; // the connection is closed, and commits nothing
        }
    }

    /** {@link #doom}; a connection that commits by itself has no transaction that could. */
    public static void doomUnlessAutoCommit(Connection connection, String failing) {
        boolean isInTransaction;
        try {
            isInTransaction = !connection.getAutoCommit();
        } catch (SQLException e) {
            return; // it is closed, and commits nothing
        }
        if (isInTransaction) {
            doom(connection, failing);
        }
    }

    /** Is refused in a distributed transaction, which has no savepoints. */
    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            return; // the failing statement is enough, or the connection is lost
        }
    }
}
