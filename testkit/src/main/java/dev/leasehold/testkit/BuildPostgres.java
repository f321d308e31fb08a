package dev.leasehold.testkit;

import dev.leasehold.embedded.EmbeddedPostgres;
import dev.leasehold.embedded.ProcessId;
import dev.leasehold.embedded.Watchdog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The embedded PostgreSQL that all test JVMs of a build share.
 *
 * <ol>
 *   <li>The build is the JVM that started this one, which is Maven, or this JVM if no JVM started it.
 *   <li>A directory named after that process has a lock, the server's data directory, and a file with the server's address.
 *   <li>The first JVM that takes the lock starts the server and writes the file. All others read it.
 *   <li>A watchdog stops the server and deletes the directory when the build has ended.
 * </ol>
 */
final class BuildPostgres {
    /** A database that is there to connect to before others are. */
    static final String ADMIN_DATABASE = "postgres";

    private static final Set<String> SHELLS = Set.of("sh", "dash", "bash", "ash", "busybox", "zsh", "ksh");

    /** Connections for several JVMs with several test classes each. */
    private static final Map<String, String> SETTINGS = Map.of("max_connections", "300", "shared_buffers", "128MB");

    private BuildPostgres() {}

    /** How to reach the server: the host, the port and the credentials, with {@code %s} in the place of the database. */
    static String address() throws IOException {
        ProcessId build = build(ProcessHandle.current());
        Path directory = directory(build);
        try (FileChannel channel = FileChannel.open(
                directory.resolve("build.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock(); // until the channel is closed
            Path address = directory.resolve("address");
            if (Files.notExists(address)) {
                Watchdog.start(build, directory);
                publish(start(directory), address);
            }
            return Files.readString(address);
        }
    }

    /** The JVM above {@code process}, past the shell through which it may have been started; {@code process} if there is none. */
    private static ProcessId build(ProcessHandle process) {
        Optional<ProcessHandle> above = process.parent();
        while (above.map(BuildPostgres::program).filter(SHELLS::contains).isPresent()) {
            above = above.flatMap(ProcessHandle::parent);
        }
        return ProcessId.of(above.filter(found -> program(found).equals("java")).orElse(process));
    }

    private static String program(ProcessHandle process) {
        return process.info()
                .command()
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .orElse("");
    }

    private static Path directory(ProcessId build) throws IOException {
        Path directory = Path.of(
                System.getProperty("java.io.tmpdir"),
                "leasehold-build-" + build.pid() + "-" + build.startTicks() + "-" + EmbeddedPostgres.version());
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!Files.getOwner(directory).equals(Files.getOwner(Path.of("/proc/self")))) {
            throw new IOException("'" + directory + "' belongs to another user");
        }
        return directory;
    }

    /** The unpacked programs of the server, if it has been started: another server need not unpack them again. */
    static Optional<Path> programs() throws IOException {
        return Optional.of(
                        directory(build(ProcessHandle.current())).resolve("postgresql-" + EmbeddedPostgres.version()))
                .filter(Files::isDirectory);
    }

    private static String start(Path directory) throws IOException {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("hba_file", writeAccessFile(directory).toString());
        EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0, settings);
        String address = "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/%s?user=" + postgres.user() + "&password="
                + postgres.password();
        TestPostgres.execute(
                TestPostgres.at(address.formatted(ADMIN_DATABASE)),
                "set password_encryption = md5",
                "alter role " + postgres.user() + " password '" + postgres.password() + "'");
        return address;
    }

    /** Tests connect so often that SCRAM, which takes several milliseconds of computing for each connection, would slow them down. */
    private static Path writeAccessFile(Path directory) throws IOException {
        return Files.writeString(directory.resolve("hba.conf"), "host all all 127.0.0.1/32 md5\n");
    }

    /** All of it or nothing: a JVM that is killed meanwhile leaves no half of an address. */
    private static void publish(String text, Path file) throws IOException {
        Path half = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(half, text);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
