package dev.leasehold.cli.embedded;

import dev.leasehold.cli.BuildInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Data directories for tests, which share one unpacked PostgreSQL. */
public final class Scratch {
    private static final Path HOME = home();

    private Scratch() {}

    /** A data directory without a database, at {@code path}. */
    public static Path dataDirectory(Path path) {
        try {
            Files.createDirectories(path);
            String name = "postgresql-" + BuildInfo.postgresql();
            Files.createSymbolicLink(path.resolve(name), programs());
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PostgreSQL, unpacked once per version and machine. */
    static Path programs() {
        Path programs = HOME.resolve("postgresql-" + BuildInfo.postgresql());
        Programs.unpacked(programs);
        return programs;
    }

    private static Path home() {
        try {
            return Files.createDirectories(Path.of("target", "scratch").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
