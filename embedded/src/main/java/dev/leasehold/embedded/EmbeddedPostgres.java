package dev.leasehold.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of our own in a data directory: durable, behind a password, reached from this machine alone.
 *
 * <p>Starting it:
 *
 * <ol>
 *   <li>take the directory, so that nobody else does;
 *   <li>unpack the programs and make the cluster if they are not there, each in a directory of another name first;
 *   <li>adopt a server that still runs there because we were killed, if it lets us in and has our settings; stop it otherwise;
 *   <li>start the server, detached from the terminal, so that ctrl-C reaches us first and not it.
 * </ol>
 *
 * <p>There is no shutdown hook here: who starts it closes it, last. A server that dies is restarted if {@link #supervise} was called.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final int LOGIN_SECONDS = 10;
    private static final int ATTEMPTS = 3;
    private static final int STOP_ROUNDS = 10;
    private static final Duration STOP_PAUSE = Duration.ofMillis(500);
    private static final String VERSION = readVersion();

    private final DataDirectory directory;
    private final PgCtl server;
    private final String password;
    private final Settings settings;
    private int port;
    private String applicationPassword = "";
    private @Nullable Supervisor supervisor;

    private EmbeddedPostgres(DataDirectory directory, PgCtl server, String password, Settings settings) {
        this.directory = directory;
        this.server = server;
        this.password = password;
        this.settings = settings;
    }

    /** The version of the PostgreSQL that comes along, such as {@code 17.11.0}. */
    public static String version() {
        return VERSION;
    }

    private static String readVersion() {
        try (InputStream in = EmbeddedPostgres.class.getResourceAsStream("postgresql.properties")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: postgresql.properties is missing");
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts it, or adopts it; returns when it answers.
     *
     * @param dataDirectory where everything of it lies
     * @param port where it listens; zero picks a free port
     */
    public static EmbeddedPostgres start(Path dataDirectory, int port) {
        return start(dataDirectory, port, Map.of());
    }

    /**
     * Starts it with more settings than the usual ones; returns when it answers.
     *
     * @param more settings of PostgreSQL, such as {@code max_connections}, written as {@code show} prints them
     */
    public static EmbeddedPostgres start(Path dataDirectory, int port, Map<String, String> more) {
        return start(dataDirectory, port, more, List.of());
    }

    /**
     * Starts it with more settings than the usual ones, and more options for its cluster; returns when it answers.
     *
     * @param initdb options of initdb, such as {@code --wal-segsize=1}, for a cluster that is not there yet
     */
    public static EmbeddedPostgres start(Path dataDirectory, int port, Map<String, String> more, List<String> initdb) {
        DataDirectory directory = DataDirectory.take(dataDirectory);
        try {
            return prepared(directory, new Settings(more), initdb).running(port);
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private static EmbeddedPostgres prepared(DataDirectory directory, Settings settings, List<String> initdb) {
        directory.check(VERSION);
        Programs programs = Programs.unpacked(directory.programs(VERSION));
        Identity identity = Identity.of(directory.cluster());
        Cluster.create(directory, programs, identity, initdb);
        Cluster.check(directory, VERSION);
        try {
            String password = Files.readString(directory.password()).strip();
            PgCtl server = new PgCtl(directory, programs, identity, settings);
            return new EmbeddedPostgres(directory, server, password, settings);
        } catch (IOException e) {
            throw Trouble.with("read the password of the database", e);
        }
    }

    /** Nothing is left running if it fails. */
    private EmbeddedPostgres running(int wantedPort) {
        try {
            run(wantedPort);
            return this;
        } catch (RuntimeException e) {
            server.stop();
            throw e;
        }
    }

    private void run(int wantedPort) {
        Optional<Postmaster> orphan = server.running();
        if (orphan.isPresent() && isOurs(orphan.get(), wantedPort)) {
            port = orphan.get().port();
            LOG.info(
                    "adopted the database that still ran: pid={} port={}",
                    orphan.get().pid(),
                    port);
        } else {
            orphan.ifPresent(this::stopOrphan);
            start(wantedPort);
        }
        try {
            applicationPassword = ApplicationRole.prepare(
                    database -> dataSource(database, port).getConnection());
        } catch (SQLException e) {
            throw new EmbeddedException("the embedded PostgreSQL does not let us in: " + e.getMessage(), e);
        }
    }

    private boolean isOurs(Postmaster orphan, int wantedPort) {
        if (orphan.port() == 0 || (wantedPort != 0 && wantedPort != orphan.port())) {
            return false;
        }
        Map<String, String> wanted = new HashMap<>(settings.at(orphan.port()));
        wanted.put("data_directory", directory.cluster().toString());
        wanted.put("server_version", shortVersion());
        try (Connection connection = dataSource("postgres", orphan.port()).getConnection()) {
            return Settings.areThoseOf(connection, wanted);
        } catch (SQLException e) {
            LOG.info("a database still runs but does not let us in: pid={} reason={}", orphan.pid(), e.getSQLState());
            return false;
        }
    }

    /** PostgreSQL says 17.11 where its archive says 17.11.0. */
    private static String shortVersion() {
        return VERSION.substring(0, VERSION.lastIndexOf('.'));
    }

    private void stopOrphan(Postmaster orphan) {
        LOG.info("stopping a database that still ran with other settings: pid={}", orphan.pid());
        server.stopPatiently();
    }

    /** A free port may be somebody else's by the time we use it. */
    private void start(int wantedPort) {
        for (int attempt = 1; ; attempt++) {
            port = wantedPort != 0 ? wantedPort : freePort();
            try {
                server.start(port);
                return;
            } catch (EmbeddedException e) {
                if (wantedPort != 0 || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw Trouble.with("find a free port", e);
        }
    }

    private PGSimpleDataSource dataSource(String database, int at) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {at});
        dataSource.setDatabaseName(database);
        dataSource.setUser(Cluster.NAME);
        dataSource.setPassword(password);
        dataSource.setLoginTimeout(LOGIN_SECONDS);
        return dataSource;
    }

    /** Where it lies. */
    public Path directory() {
        return directory.path();
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** How to reach it, without the password. */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + Cluster.NAME;
    }

    /** The database. */
    public String database() {
        return Cluster.NAME;
    }

    /** Its superuser, for administration and tests. */
    public String user() {
        return Cluster.NAME;
    }

    public String password() {
        return password;
    }

    /** The role that an application uses: owner of the database, and no superuser. */
    public String applicationUser() {
        return ApplicationRole.NAME;
    }

    /** The password of that role; another one after each start. */
    public String applicationPassword() {
        return applicationPassword;
    }

    /** From now on a server that dies is restarted, until this is closed. */
    public synchronized EmbeddedPostgres supervise() {
        if (supervisor == null) {
            supervisor = Supervisor.start(server, port);
        }
        return this;
    }

    /** Whether the server has died and is being restarted. */
    public synchronized boolean isRestarting() {
        return supervisor != null && supervisor.isRestarting();
    }

    /** Stops the server and gives the directory back. */
    @Override
    public void close() {
        try {
            stop();
        } finally {
            directory.close();
        }
    }

    /** An attempt to restart the server may be under way: what it starts is stopped too. */
    private void stop() {
        Supervisor ended = endSupervision();
        server.stop();
        for (int round = 0; ended != null && round < STOP_ROUNDS && !ended.awaitEnd(STOP_PAUSE); round++) {
            server.stop();
        }
        server.stop();
    }

    private synchronized @Nullable Supervisor endSupervision() {
        if (supervisor != null) {
            supervisor.end();
        }
        return supervisor;
    }
}
