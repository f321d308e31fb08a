package dev.leasehold.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * The role that an application uses. It owns its database, and is no superuser: whoever could make it run SQL could read no file
 * of this machine and start no program. Its errors do not go into the server's log, because their messages quote values.
 *
 * <p>Its password is drawn anew at each start and is in no file.
 */
final class ApplicationRole {
    static final String NAME = "leasehold_app";

    private ApplicationRole() {}

    /** Connections as the superuser. */
    @FunctionalInterface
    interface Superuser {
        Connection connect(String database) throws SQLException;
    }

    /** Commits do not wait for a synchronous standby: it may connect only when the server has started, or never. */
    private static Statement statement(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        statement.execute("set synchronous_commit = local");
        return statement;
    }

    /**
     * Makes the role and its database what they should be, also in a cluster of an earlier build; returns the role's new password. A
     * standby takes no writes: there the role is as the primary has it.
     */
    static String prepare(Superuser superuser) throws SQLException {
        String password = Secret.draw();
        boolean isNewDatabase;
        try (Connection connection = superuser.connect("postgres");
                Statement statement = statement(connection)) {
            if (exists(statement, "select where pg_is_in_recovery()")) {
                return password;
            }
            if (!exists(statement, "select from pg_roles where rolname = '" + NAME + "'")) {
                statement.execute("create role " + NAME);
            }
            statement.execute("alter role " + NAME + " login nosuperuser nocreatedb nocreaterole noreplication");
            statement.execute("alter role " + NAME + " set log_min_messages = log");
            connection.unwrap(PGConnection.class).alterUserPassword(NAME, password.toCharArray(), "scram-sha-256");
            isNewDatabase = !exists(statement, "select from pg_database where datname = '" + Cluster.NAME + "'");
            if (isNewDatabase) {
                statement.execute("create database " + Cluster.NAME + " owner " + NAME);
            }
        }
        if (!isNewDatabase) {
            takeOver(superuser);
        }
        return password;
    }

    /** In earlier builds the superuser owned everything. */
    private static void takeOver(Superuser superuser) throws SQLException {
        try (Connection connection = superuser.connect(Cluster.NAME);
                Statement statement = statement(connection)) {
            if (!exists(
                    statement,
                    "select from pg_database where datname = '" + Cluster.NAME + "' and datdba = '" + NAME
                            + "'::regrole")) {
                statement.execute(sql());
            }
        }
    }

    private static boolean exists(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }

    private static String sql() {
        try (InputStream in = ApplicationRole.class.getResourceAsStream("take_over.sql")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: take_over.sql is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw Trouble.with("read take_over.sql", e);
        }
    }
}
