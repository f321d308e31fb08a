package dev.leasehold.testkit;

import dev.leasehold.embedded.EmbeddedPostgres;
import dev.leasehold.embedded.ProcessId;
import dev.leasehold.embedded.Watchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL that one test has for itself. It does nothing on its own account (autovacuum is off), so that what happens on the
 * whole server is what the test does. It ends with this JVM at the latest.
 */
public final class OwnPostgres implements AutoCloseable {
    private final EmbeddedPostgres postgres;

    private OwnPostgres(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /** Starts one; returns when it answers. */
    public static OwnPostgres start() {
        return start(Map.of());
    }

    /** Starts one with some settings of its own. */
    public static OwnPostgres start(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("autovacuum", "off");
        try {
            Path directory = dataDirectory(Files.createTempDirectory("leasehold-own-"));
            Watchdog.start(ProcessId.of(ProcessHandle.current()), directory);
            return new OwnPostgres(EmbeddedPostgres.start(directory, 0, all));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes {@code directory} a data directory without a database. It shares the unpacked programs of the build. */
    public static Path dataDirectory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Optional<Path> programs = BuildPostgres.programs();
        if (programs.isPresent()) {
            Files.createSymbolicLink(directory.resolve(programs.get().getFileName()), programs.get());
        }
        return directory;
    }

    private String url() {
        return postgres.jdbcUrl() + "?user=" + postgres.user() + "&password=" + postgres.password();
    }

    /** A data source without a pool, in the database's default schema. */
    public PGSimpleDataSource dataSource() {
        return TestPostgres.at(url());
    }

    /** A data source without a pool in a new, empty schema of its own. */
    public PGSimpleDataSource newSchema() {
        return TestPostgres.newSchema(url());
    }

    @Override
    public void close() {
        postgres.close();
    }
}
