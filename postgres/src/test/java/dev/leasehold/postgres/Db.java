package dev.leasehold.postgres;

import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Looking at and into the database that a test uses. */
final class Db {
    private Db() {}

    /** A new schema with the tables in it. */
    static PGSimpleDataSource withTables() {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        PostgresSchema.create(dataSource);
        return dataSource;
    }

    static Connection transaction(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    static Connection transaction(DataSource dataSource, int isolation) throws SQLException {
        Connection connection = transaction(dataSource);
        connection.setTransactionIsolation(isolation);
        return connection;
    }

    static void execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection()) {
            return number(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
