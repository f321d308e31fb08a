package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction of several statements on a borrowed connection: READ COMMITTED, whatever the role or the pool has as its default. */
public final class Transaction {
    private Transaction() {}

    /** What is done in it. */
    public interface Work<R> {
        R run(Connection connection) throws SQLException;
    }

    /** Commits what {@code work} did, or rolls it back if that threw; the connection is then as it was. */
    public static <R> R run(Connection connection, Work<R> work) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            try (Statement pin = connection.createStatement()) {
                pin.execute("set transaction isolation level read committed");
            }
            R result = work.run(connection);
            connection.commit();
            connection.setAutoCommit(autoCommit);
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            rollback(connection, autoCommit, e);
            throw e;
        }
    }

    /** Rolls back because of {@code reason}, and leaves the connection as it was. */
    static void rollback(Connection connection, boolean autoCommit, Throwable reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException | Error e) {
            reason.addSuppressed(e);
        }
    }
}
