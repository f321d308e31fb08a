package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one embedded database, taken by one process at a time. The operating system gives it back when the process
 * ends, however it ends.
 *
 * <pre>
 * lock                   taken while a server runs
 * postgresql-17.11.0/    the programs
 * database/data/         the cluster
 * database/password      of its superuser, for nobody else to read
 * database/postgresql.log
 * </pre>
 */
final class DataDirectory implements AutoCloseable {
    /** What pg_ctl could not hand on: it lets a shell start the server. */
    private static final Pattern UNSPEAKABLE = Pattern.compile("[\"$`\\\\\n]");

    /** Always of the same length, and written at once: a watchdog that reads meanwhile finds the last taker or this one. */
    private static final String TAKER = "%-19d\n";

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Takes the directory, and makes it if it is not there. Nobody else may be able to write to it. */
    static DataDirectory take(Path given) {
        Path path = given.toAbsolutePath().normalize();
        if (UNSPEAKABLE.matcher(path.toString()).find()) {
            throw new EmbeddedException("the data directory '" + path
                    + "' must not contain quotes, dollar signs, backslashes or line breaks; choose another one");
        }
        try {
            Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path real = path.toRealPath();
            Ownership.check(real, List.of());
            return lock(real);
        } catch (IOException e) {
            throw Trouble.with("use the data directory '" + path + "'", e);
        }
    }

    private static DataDirectory lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (tryLock(channel) == null) {
                throw new EmbeddedException("another server runs on the data directory '" + path + "'" + by(channel)
                        + "; stop it, or choose another directory with --data-dir");
            }
            channel.write(StandardCharsets.US_ASCII.encode(
                    TAKER.formatted(ProcessHandle.current().pid())));
            return new DataDirectory(path, channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String by(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(20);
        channel.read(buffer, 0);
        String pid = StandardCharsets.US_ASCII.decode(buffer.flip()).toString().strip();
        return pid.isEmpty() ? "" : " (process " + pid + ")";
    }

    Path path() {
        return path;
    }

    /** Refuses programs and a cluster that somebody else may have put there. */
    void check(String version) {
        try {
            Ownership.check(path, List.of(programs(version), programs(version).resolve("bin"), database()));
        } catch (IOException e) {
            throw Trouble.with("find out who may write to '" + path + "'", e);
        }
    }

    /** The programs of that version. */
    Path programs(String version) {
        return path.resolve("postgresql-" + version);
    }

    /** Everything that belongs to the cluster. */
    Path database() {
        return path.resolve("database");
    }

    /** The cluster itself, as PostgreSQL knows it. */
    Path cluster() {
        return database().resolve("data");
    }

    Path password() {
        return database().resolve("password");
    }

    Path log() {
        return database().resolve("postgresql.log");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw Trouble.with("give back the data directory '" + path + "'", e);
        }
    }
}
