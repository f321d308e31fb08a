package dev.leasehold.chaos.site;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PgBouncer in transaction mode before a database, with few connections to share. It comes with no build: it is installed or not. */
public final class PgBouncer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** The program, if it is installed. */
    public static Optional<Path> program() {
        return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts one before {@code database}; what it writes goes below {@code directory}. */
    public static PgBouncer before(Database database, Path directory) {
        try {
            int port = Ports.free();
            Path home = Files.createTempDirectory(directory.getParent(), "pgbouncer");
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path ini = Files.writeString(home.resolve("pgbouncer.ini"), configuration(database, port));
            List<String> command =
                    new ArrayList<>(List.of(program().orElseThrow().toString()));
            if (System.getProperty("user.name", "").equals("root")) {
                command.addAll(List.of("-u", "nobody")); // it refuses to be root
            }
            command.add(ini.toString());
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("log").toFile())
                    .start();
            Patience.await("PgBouncer", PATIENCE, () -> answers(port));
            return new PgBouncer(process, port);
        } catch (IOException e) {
            throw new SiteException("could not start PgBouncer", e);
        }
    }

    private static String configuration(Database database, int port) {
        return """
                [databases]
                * = host=127.0.0.1 port=%d user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 8
                ignore_startup_parameters = extra_float_digits
                server_login_retry = 1
                """.formatted(database.port(), database.user(), database.password(), port);
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            throw SiteException.interrupted(e);
        }
    }
}
