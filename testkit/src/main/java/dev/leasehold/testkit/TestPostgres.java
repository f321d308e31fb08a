package dev.leasehold.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL for tests: the server that {@code LEASEHOLD_TEST_POSTGRES_URL} names, or an embedded one that starts on first
 * use, as durable as in production, and ends with the JVM.
 */
public final class TestPostgres {
    private static final String VARIABLE = "LEASEHOLD_TEST_POSTGRES_URL";
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static @Nullable String url;

    private TestPostgres() {}

    /** The JDBC address of the server. */
    public static synchronized String url() {
        if (url == null) {
            String given = System.getenv(VARIABLE);
            url = given != null && !given.isBlank() ? given : startEmbedded();
        }
        return url;
    }

    private static String startEmbedded() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", "100")
                    .start();
            return postgres.getJdbcUrl("postgres", "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A data source without a pool, in the server's default schema. */
    public static PGSimpleDataSource dataSource() {
        return at(url());
    }

    /** A data source without a pool in a new, empty schema of its own. */
    public static PGSimpleDataSource newSchema() {
        String name = "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        PGSimpleDataSource dataSource = dataSource();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema if exists " + name + " cascade");
            statement.execute("create schema " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("no schema for the test", e);
        }
        dataSource.setCurrentSchema(name);
        return dataSource;
    }

    /** A data source for a JDBC address. */
    public static PGSimpleDataSource at(String jdbcUrl) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(jdbcUrl);
        return dataSource;
    }
}
