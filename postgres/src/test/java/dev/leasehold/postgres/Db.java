package dev.leasehold.postgres;

import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Looking at and into the database that a test uses. */
public final class Db {
    /** Goes behind a condition on pg_locks, which shows the locks of the whole server. */
    public static final String IN_THIS_DATABASE =
            " and database = (select oid from pg_database where datname = current_database())";

    private Db() {}

    /** A new schema with the tables in it. */
    public static PGSimpleDataSource withTables() {
        return withTables(TestPostgres.newSchema());
    }

    /** A schema, now with the tables in it. */
    public static PGSimpleDataSource withTables(PGSimpleDataSource schema) {
        LockSchema.create(schema);
        return schema;
    }

    /** The schema as a role of its own sees it, with such settings as {@code default_transaction_isolation = serializable}. */
    public static PGSimpleDataSource asRoleWith(PGSimpleDataSource schema, String setting) {
        String role = schema.getCurrentSchema() + "_role";
        execute(
                schema,
                "drop role if exists " + role + "; create role " + role + " login password '" + role + "'; grant \""
                        + schema.getUser() + "\" to " + role + "; alter role " + role + " set " + setting);
        PGSimpleDataSource as = TestPostgres.copyOf(schema);
        as.setUser(role);
        as.setPassword(role);
        return as;
    }

    /** Has the next three statements that insert into a table fail with an SQLSTATE, as if others had been in their way. */
    public static void failThreeInserts(DataSource dataSource, String table, String sqlState) {
        execute(
                dataSource,
                "create sequence if not exists inserts; select setval('inserts', 1, false);"
                        + " create or replace function fail() returns trigger language plpgsql as $$ begin"
                        + " if nextval('inserts') <= 3 then raise exception 'in the way' using errcode = '" + sqlState
                        + "'; end if; return new; end $$;"
                        + " create or replace trigger fail before insert on \"" + table
                        + "\" for each statement execute function fail()");
    }

    /** Returns once somebody waits for the advisory lock of a key. */
    public static void awaitAdvisoryWait(DataSource dataSource, String key) {
        TestWaits.await()
                .until(() -> number(
                                dataSource,
                                "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                                        + IN_THIS_DATABASE + " and objid::bigint = hashtext('" + key
                                        + "')::bigint & 4294967295")
                        > 0);
    }

    /** The text of a file beside the tests of this package. */
    static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Db.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Connection transaction(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    public static Connection transaction(DataSource dataSource, int isolation) throws SQLException {
        Connection connection = transaction(dataSource);
        connection.setTransactionIsolation(isolation);
        return connection;
    }

    public static void execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public static long number(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection()) {
            return number(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    public static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
