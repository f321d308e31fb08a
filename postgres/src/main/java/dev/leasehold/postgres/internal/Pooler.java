package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** Noticing that a connection leads through a pooler: the backend that answers is not the one that answered the login. */
public final class Pooler {
    private static final String PROBE = "select pg_backend_pid()";

    private Pooler() {}

    public static boolean isBefore(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(PROBE)) {
            row.next();
            return row.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
        }
    }
}
