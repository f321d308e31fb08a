package dev.leasehold.testkit.process;

import dev.leasehold.testkit.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A transaction pooler before a PostgreSQL, with two connections per database. It comes with no build: it is installed or not, see
 * {@link #isInstalled}.
 */
public final class PgBouncer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NOBODY = "nobody";

    private final Process process;
    private final int port;
    private final String database;
    private final Path directory;

    private PgBouncer(Process process, int port, String database, Path directory) {
        this.process = process;
        this.port = port;
        this.database = database;
        this.directory = directory;
    }

    /** Whether there is a PgBouncer on this machine. */
    public static boolean isInstalled() {
        return program().isPresent();
    }

    /** On the path of this process, or where a package puts it for administrators. */
    private static Optional<Path> program() {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin" + File.pathSeparator + "/usr/local/bin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts one whose clients find the tables in the schema of {@code direct}. */
    public static PgBouncer before(PGSimpleDataSource direct) {
        return before(direct, Map.of());
    }

    /** Starts one with some settings of its own, such as {@code pool_mode}. */
    public static PgBouncer before(PGSimpleDataSource direct, Map<String, String> settings) {
        try {
            int port = Ports.free();
            Path directory = Files.createTempDirectory("pgbouncer");
            Path ini = Files.writeString(directory.resolve("pgbouncer.ini"), configuration(direct, port, settings));
            Process process = start(directory, ini);
            PgBouncer pooler = new PgBouncer(process, port, String.valueOf(direct.getDatabaseName()), directory);
            Polling.await("PgBouncer", PATIENCE, pooler::answers);
            return pooler;
        } catch (IOException e) {
            throw new HarnessException("could not start PgBouncer", e);
        }
    }

    private static Process start(Path directory, Path ini) throws IOException {
        List<String> command = new ArrayList<>(List.of(program()
                .orElseThrow(() -> new HarnessException("pgbouncer is not installed"))
                .toString()));
        if (System.getProperty("user.name", "").equals("root")) { // it refuses to be root
            command.addAll(List.of("-u", NOBODY));
            handOver(directory);
            handOver(ini);
        }
        command.add(ini.toString());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    /** To the user that it becomes, and to no other: there is a password in it. */
    private static void handOver(Path path) throws IOException {
        Files.setOwner(
                path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
    }

    private static String configuration(PGSimpleDataSource direct, int port, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "listen_addr", "127.0.0.1",
                "listen_port", Integer.toString(port),
                "unix_socket_dir", "",
                "auth_type", "any",
                "pool_mode", "transaction",
                "default_pool_size", "2",
                "ignore_startup_parameters", "extra_float_digits",
                "server_login_retry", "1"));
        all.putAll(settings);
        return "[databases]\n* = " + server(direct) + "\n[pgbouncer]\n"
                + all.entrySet().stream()
                        .map(setting -> setting.getKey() + " = " + setting.getValue())
                        .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String server(PGSimpleDataSource direct) {
        @Nullable String schema = direct.getCurrentSchema();
        return "host=127.0.0.1 port=" + direct.getPortNumbers()[0] + " user=" + direct.getUser() + " password="
                + direct.getPassword() + (schema == null ? "" : " connect_query='set search_path = " + schema + "'");
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** The port where it listens. */
    public int port() {
        return port;
    }

    /** Its JDBC address. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=anybody";
    }

    /** A data source through it. */
    public PGSimpleDataSource pooled() {
        return TestPostgres.at(url());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            for (String name : List.of("pgbouncer.ini", "log", "")) {
                Files.deleteIfExists(directory.resolve(name));
            }
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        } catch (IOException e) {
            throw new HarnessException("could not delete " + directory, e);
        }
    }
}
