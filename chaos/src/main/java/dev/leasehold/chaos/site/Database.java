package dev.leasehold.chaos.site;

import dev.leasehold.embedded.EmbeddedException;
import dev.leasehold.embedded.EmbeddedPostgres;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import dev.leasehold.testkit.process.Ports;
import dev.leasehold.testkit.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL of our own, as durable as in production, that can be killed and started again on the same port.
 *
 * <p>It is the server that {@code leasehold server} brings along: what that does after a kill is part of what is tried here.
 */
public final class Database implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long PAUSE_MILLIS = 100;

    /** How large a file of the write-ahead log is. Small, so that other files can be forbidden to grow beyond it: see full-disk. */
    public static final int LOG_FILE_BYTES = 1 << 20;

    private static final List<String> CLUSTER = List.of("--wal-segsize=" + (LOG_FILE_BYTES >> 20));

    /** Since which version the queue of notifications can be made smaller than 8 GB. */
    private static final int SMALL_NOTIFY_QUEUE = 17;

    private final Path directory;
    private final int port;
    private EmbeddedPostgres postgres;

    private Database(Path directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
        this.port = postgres.port();
    }

    /** Starts one in {@code directory}, on a free port. */
    public static Database start(Path directory) {
        return new Database(directory, start(directory, Ports.free()));
    }

    private static EmbeddedPostgres start(Path directory, int port) {
        return EmbeddedPostgres.start(directory, port, settings(), CLUSTER);
    }

    /** Checkpoints as rare as with log files of the usual size, and a queue of notifications that can be filled. */
    private static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(Map.of("max_wal_size", "1GB", "min_wal_size", "80MB"));
        if (hasSmallNotifyQueue()) {
            settings.put("max_notify_queue_pages", "64");
        }
        return settings;
    }

    /** Whether its queue of notifications is so small that it can be filled. */
    public static boolean hasSmallNotifyQueue() {
        String version = EmbeddedPostgres.version();
        return Integer.parseInt(version.substring(0, version.indexOf('.'))) >= SMALL_NOTIFY_QUEUE;
    }

    /** Where it listens, on 127.0.0.1. */
    public int port() {
        return port;
    }

    public synchronized String user() {
        return postgres.user();
    }

    public synchronized String password() {
        return postgres.password();
    }

    /** Its directory: programs, password and cluster. */
    Path directory() {
        return directory;
    }

    /** The process that all others of this server belong to. */
    public long postmaster() {
        Path file = directory.resolve("database/data/postmaster.pid");
        try {
            return Long.parseLong(Files.readAllLines(file).get(0).strip());
        } catch (IOException e) {
            throw new HarnessException("the database in '" + directory + "' does not run", e);
        }
    }

    /** Kills the postmaster; its backends find out and end by themselves. Nothing is written that was not. */
    public synchronized void kill() {
        long pid = postmaster();
        Signals.kill(pid);
        Polling.await(
                "the end of the killed postmaster",
                PATIENCE,
                () -> ProcessHandle.of(pid).isEmpty());
    }

    /** Starts it again on its port after a {@link #kill}; it recovers. */
    public synchronized void restart() {
        postgres.close();
        long start = System.nanoTime();
        while (true) {
            try {
                postgres = start(directory, port);
                return;
            } catch (EmbeddedException e) { // until the last backend has noticed that its postmaster is dead
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
                Polling.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** A connection as the superuser, past all proxies. */
    public Connection connect(String database) throws SQLException {
        return dataSource(database).getConnection();
    }

    private PGSimpleDataSource dataSource(String database) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName(database);
        dataSource.setUser(user());
        dataSource.setPassword(password());
        dataSource.setApplicationName("chaos");
        dataSource.setConnectTimeout(10);
        return dataSource;
    }

    /** Executes statements in the database {@code postgres}, each in a transaction of its own. */
    public void execute(String... statements) {
        executeIn("postgres", statements);
    }

    /** Executes statements, each in a transaction of its own. */
    public void executeIn(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new HarnessException("the database did not do what the harness asked: " + e.getMessage(), e);
        }
    }

    /** What a query answers: the first column of its rows, as text. */
    public List<String> ask(String database, String query) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> answers = new ArrayList<>();
            while (rows.next()) {
                answers.add(String.valueOf(rows.getString(1)));
            }
            return answers;
        } catch (SQLException e) {
            throw new HarnessException("the database did not answer the harness: " + e.getMessage(), e);
        }
    }

    /** Stops it; its directory stays. */
    @Override
    public synchronized void close() {
        postgres.close();
    }
}
