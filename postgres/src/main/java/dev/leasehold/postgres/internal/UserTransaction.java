package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transaction in which user code works, on a connection of the user's data source and at the isolation level that it has. */
public final class UserTransaction {
    private UserTransaction() {}

    /** What is done in it, the commit included. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run(Connection connection) throws E, SQLException;
    }

    /** Runs {@code work}, which commits; rolls back if it throws. The connection is then as it was. */
    public static <T, E extends Exception> T run(DataSource dataSource, Work<T, E> work) throws E, SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            T result;
            try {
                result = work.run(connection);
            } catch (Throwable e) {
                Transaction.rollback(connection, autoCommit, e);
                throw e;
            }
            connection.setAutoCommit(autoCommit);
            return result;
        }
    }
}
