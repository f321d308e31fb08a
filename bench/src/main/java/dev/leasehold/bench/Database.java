package dev.leasehold.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL that everything is measured on: an embedded one that ends with this object, or one that is given. Refuses one
 * whose commits are not durable.
 */
public final class Database implements AutoCloseable {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final String url;
    private final String user;
    private final String password;
    private final @Nullable EmbeddedPostgres embedded;
    private boolean closed;
    private final Connection watcher;
    private final DatabaseCpu cpu;

    private Database(String url, String user, String password, @Nullable EmbeddedPostgres embedded) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.embedded = embedded;
        try {
            this.watcher = DriverManager.getConnection(url, credentials(user, password));
            requireDurable();
            this.cpu = DatabaseCpu.ofBackend(number("select pg_backend_pid()"));
        } catch (SQLException e) {
            throw new IllegalStateException("the database at " + url + " does not answer: " + e.getMessage(), e);
        }
    }

    /** Starts one in a directory that is deleted again, at the end of this JVM at the latest, however it comes. */
    static Database embedded(Path directory) {
        delete(directory);
        EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
        try {
            Database database = new Database(postgres.jdbcUrl(), postgres.user(), postgres.password(), postgres);
            Runtime.getRuntime().addShutdownHook(new Thread(database::close, "bench-closing"));
            return database;
        } catch (RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    /** Uses one that runs. */
    static Database at(String jdbcUrl, String user, String password) {
        return new Database(jdbcUrl, user, password, null);
    }

    private void requireDurable() throws SQLException {
        for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
            String value = text("show " + setting);
            if (!value.equals("on")) {
                throw new IllegalStateException("the database must run with " + setting + " = on, got " + value
                        + "; figures without it say nothing");
            }
        }
    }

    /** The address for pgjdbc, with the wrapper that counts round trips. */
    public String countedUrl(String schema) {
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema + (isCounted() ? counting() : "");
    }

    private static String counting() {
        return "&sslmode=disable&gssEncMode=disable&socketFactory=" + CountingSocketFactory.class.getName();
    }

    /** Whether round trips can be counted: not if the address asks for TLS. */
    boolean isCounted() {
        return !url.contains("ssl");
    }

    public String url() {
        return url;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    private static Properties credentials(String user, String password) {
        Properties properties = new Properties();
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password);
        }
        return properties;
    }

    /** Makes a schema of its own, empty, and returns its name. */
    public String newSchema() {
        String name = "bench_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        execute("drop schema if exists " + name + " cascade");
        execute("create schema " + name);
        return name;
    }

    public void dropSchema(String name) {
        execute("drop schema if exists " + name + " cascade");
    }

    /** A pool in a schema, all of whose connections are there before it is measured. */
    public HikariDataSource pool(String schema, int connections) {
        return pool(countedUrl(schema), user, password, connections);
    }

    /** The same for another JVM, which is told where and as whom. */
    public static HikariDataSource pool(String jdbcUrl, String user, String password, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        credentials(user, password).forEach((name, value) -> config.addDataSourceProperty((String) name, value));
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        config.setConnectionTimeout(Duration.ofSeconds(30).toMillis());
        return new HikariDataSource(config);
    }

    /** Runs one statement on a connection that is not measured. */
    public synchronized void execute(String sql) {
        try (Statement statement = watcher.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the database refused '" + sql + "': " + e.getMessage(), e);
        }
    }

    /** The number that a query yields, on a connection that is not measured. */
    public synchronized long number(String sql) throws SQLException {
        return Long.parseLong(text(sql));
    }

    /** The texts that a query yields, one from each row. */
    public synchronized List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = watcher.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private synchronized String text(String sql) throws SQLException {
        try (Statement statement = watcher.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** So that whole pages in the log, which follow a checkpoint, meet the warm-up of each system alike. Asks for it, no more. */
    void checkpoint() {
        try (Statement statement = watcher.createStatement()) {
            statement.execute("checkpoint");
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                throw new IllegalStateException("the database made no checkpoint: " + e.getMessage(), e);
            }
        }
    }

    long walBytes() throws SQLException {
        return number("select (pg_current_wal_insert_lsn() - '0/0')::bigint");
    }

    /** The next transaction id: looking at it takes none. */
    long nextTransactionId() throws SQLException {
        return number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    OptionalLong cpuNanos() {
        return cpu.nanos();
    }

    String version() {
        try {
            return text("show server_version");
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not tell its version: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            watcher.close();
        } catch (SQLException e) {
            throw new IllegalStateException("the connection to the database could not be closed", e);
        } finally {
            if (embedded != null) {
                embedded.close();
                delete(embedded.directory());
            }
        }
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
