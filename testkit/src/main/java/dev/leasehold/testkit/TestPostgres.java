package dev.leasehold.testkit;

import dev.leasehold.embedded.ProcessId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL for tests: the database that {@code LEASEHOLD_TEST_POSTGRES_URL} names, or a database of this JVM's own on an
 * embedded server that all JVMs of a build share. That server starts on first use, is as durable as in production, and ends with
 * the build.
 *
 * <p>Other JVMs use the same server at the same time: what a test counts or terminates must be of its own database. A test that
 * stops the server, or counts what all of the server does, takes an {@link OwnPostgres}.
 */
public final class TestPostgres {
    private static final String VARIABLE = "LEASEHOLD_TEST_POSTGRES_URL";
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static @Nullable String url;

    private TestPostgres() {}

    /** The JDBC address of this JVM's database, with credentials. */
    public static synchronized String url() {
        if (url == null) {
            String given = System.getenv(VARIABLE);
            url = given != null && !given.isBlank() ? given : newDatabase();
        }
        return url;
    }

    private static String newDatabase() {
        ProcessId self = ProcessId.of(ProcessHandle.current());
        String name = "test_" + self.pid() + "_" + self.startTicks();
        try {
            String address = BuildPostgres.address();
            execute(
                    at(address.formatted(BuildPostgres.ADMIN_DATABASE)),
                    "create database " + name + " template template0");
            return address.formatted(name);
        } catch (IOException e) {
            throw new UncheckedIOException("no PostgreSQL for the tests", e);
        }
    }

    /** The variables with which another JVM uses this JVM's database. */
    public static Map<String, String> environment() {
        return Map.of(VARIABLE, url());
    }

    /** A data source without a pool, in the database's default schema. */
    public static PGSimpleDataSource dataSource() {
        return at(url());
    }

    /**
     * A data source without a pool in a new, empty schema of its own. The application name of its connections is that of the
     * schema, so that {@code pg_stat_activity} tells them from those of other tests.
     */
    public static PGSimpleDataSource newSchema() {
        return newSchema(url());
    }

    /** A new, empty schema in the database at {@code jdbcUrl}. */
    static PGSimpleDataSource newSchema(String jdbcUrl) {
        String name = "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        PGSimpleDataSource dataSource = at(jdbcUrl);
        execute(dataSource, "drop schema if exists " + name + " cascade", "create schema " + name);
        dataSource.setCurrentSchema(name);
        dataSource.setApplicationName(name);
        return dataSource;
    }

    static void execute(PGSimpleDataSource dataSource, String... statements) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("no room for the test in the database", e);
        }
    }

    /** Another data source for the schema of {@code original}, to set it up differently. */
    public static PGSimpleDataSource copyOf(PGSimpleDataSource original) {
        PGSimpleDataSource copy = at(original.getURL());
        copy.setUser(original.getUser());
        copy.setPassword(original.getPassword());
        return copy;
    }

    /** A data source for a JDBC address. */
    public static PGSimpleDataSource at(String jdbcUrl) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(jdbcUrl);
        return dataSource;
    }
}
