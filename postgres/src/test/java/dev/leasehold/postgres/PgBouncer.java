package dev.leasehold.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
        Optional<Path> binary = Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(binary.isPresent(), "pgbouncer is not installed");
        int port = freePort();
        Path directory = Files.createTempDirectory("pgbouncer");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path ini = Files.writeString(directory.resolve("pgbouncer.ini"), configuration(port));
        List<String> command = new ArrayList<>(List.of(binary.get().toString(), ini.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody"));
        }
        Process pooler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(directory.toFile(), "log"))
                .start();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> answers(port));
        Db.execute(TestPostgres.dataSource(), "alter role postgres set search_path = " + direct.getCurrentSchema());
        return new PgBouncer(pooler, port);
    }

    private static String configuration(int port) {
        URI server = URI.create(TestPostgres.url().substring("jdbc:".length()));
        return """
                [databases]
                pooled = host=127.0.0.1 port=%d dbname=postgres user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 2
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.getPort(), port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A data source through it. */
    public PGSimpleDataSource pooled() {
        return TestPostgres.at("jdbc:postgresql://127.0.0.1:" + port + "/pooled?user=postgres");
    }

    @Override
    public void close() {
        Db.execute(TestPostgres.dataSource(), "alter role postgres reset search_path");
        pooler.destroy();
        pooler.onExit().orTimeout(5, TimeUnit.SECONDS).join();
    }
}
