package dev.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Data directories for tests, which share one unpacked PostgreSQL. */
final class Scratch {
    private static final Path HOME = home();

    private Scratch() {}

    /** A data directory without a database, at {@code path}. */
    static Path dataDirectory(Path path) {
        try {
            Files.createDirectories(path);
            String name = "postgresql-" + EmbeddedPostgres.version();
            Files.createSymbolicLink(path.resolve(name), programs());
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A data directory with an empty database, at {@code path}: a copy, which is faster than making one. */
    static synchronized Path withDatabase(Path path) {
        Path template = HOME.resolve("template-" + EmbeddedPostgres.version());
        if (!Files.isDirectory(template)) {
            Path half = template.resolveSibling(
                    template.getFileName() + ".new-" + ProcessHandle.current().pid());
            EmbeddedPostgres.start(dataDirectory(half), 0).close();
            new Command(List.of("mv", "-T", half.toString(), template.toString())).run("keep the template");
        }
        dataDirectory(path);
        new Command(List.of("cp", "-a", template.resolve("database").toString(), path.toString()))
                .run("copy a database");
        return path;
    }

    /** PostgreSQL, unpacked once per version and machine. */
    static synchronized Path programs() {
        Path programs = HOME.resolve("postgresql-" + EmbeddedPostgres.version());
        Programs.unpacked(programs);
        return programs;
    }

    /** A port that nobody listens at. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Path home() {
        try {
            return Files.createDirectories(Path.of("target", "scratch").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
