package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/** A transaction pooler with two connections in front of the test's PostgreSQL. Tests that need it are skipped if it is not installed. */
public final class PgBouncer implements AutoCloseable {
    private final Process pooler;
    private final int port;

    private PgBouncer(Process pooler, int port) {
        this.pooler = pooler;
        this.port = port;
    }

    /** Starts one whose clients find the tables in the schema of {@code direct}. */
    public static PgBouncer before(PGSimpleDataSource direct) throws IOException {
        return before(direct, Map.of());
    }

    /** Starts one with some settings of its own, such as {@code pool_mode}. */
    public static PgBouncer before(PGSimpleDataSource direct, Map<String, String> settings) throws IOException {
        Optional<Path> program = Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(program.isPresent(), "pgbouncer is not installed");
        int port = freePort();
        Path directory = Files.createTempDirectory("pgbouncer");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path ini = Files.writeString(directory.resolve("pgbouncer.ini"), configuration(direct, port, settings));
        List<String> command = new ArrayList<>(List.of(program.get().toString(), ini.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody")); // it refuses to be root
        }
        Process pooler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> answers(port));
        return new PgBouncer(pooler, port);
    }

    private static String configuration(PGSimpleDataSource direct, int port, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "listen_addr", "127.0.0.1",
                "listen_port", Integer.toString(port),
                "unix_socket_dir", "",
                "auth_type", "any",
                "pool_mode", "transaction",
                "default_pool_size", "2",
                "ignore_startup_parameters", "extra_float_digits"));
        all.putAll(settings);
        return """
                [databases]
                pooled = host=%s port=%d dbname=%s user=%s password='%s' connect_query='set search_path = %s'
                [pgbouncer]
                %s
                """.formatted(
                        direct.getServerNames()[0],
                        direct.getPortNumbers()[0],
                        direct.getDatabaseName(),
                        direct.getUser(),
                        direct.getPassword(),
                        direct.getCurrentSchema(),
                        all.entrySet().stream()
                                .map(setting -> setting.getKey() + " = " + setting.getValue())
                                .collect(Collectors.joining("\n")));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Its JDBC address. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/pooled?user=anybody";
    }

    /** A data source through it. */
    public PGSimpleDataSource pooled() {
        return TestPostgres.at(url());
    }

    @Override
    public void close() {
        pooler.destroy();
        pooler.onExit().orTimeout(5, TimeUnit.SECONDS).join();
    }
}
