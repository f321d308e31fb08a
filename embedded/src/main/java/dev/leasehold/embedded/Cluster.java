package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster in a data directory, made on first use: as a whole or not at all. */
final class Cluster {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** The superuser, and the database. */
    static final String NAME = "leasehold";

    private Cluster() {}

    /** Makes it unless it is there. What an initdb that was killed has left is thrown away. */
    static void create(DataDirectory directory, Programs programs, Identity identity, List<String> options) {
        Path half = directory.path().resolve("database.new");
        try {
            Trees.delete(half);
            if (!Files.isDirectory(directory.database())) {
                LOG.info("setting up a database in {}, once", directory.database());
                Files.createDirectory(half);
                Path password = writePassword(half.resolve("password"));
                initdb(programs, identity, half.resolve("data"), password, options);
                Trees.publish(half, directory.database());
            }
        } catch (IOException e) {
            throw Trouble.with("set up a database in '" + directory.path() + "'", e);
        }
    }

    private static Path writePassword(Path file) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, Secret.draw());
    }

    private static void initdb(Programs programs, Identity identity, Path data, Path password, List<String> options) {
        List<String> words = new ArrayList<>(List.of(
                programs.path("initdb"),
                "--pgdata=" + data,
                "--username=" + NAME,
                "--pwfile=" + password,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--data-checksums"));
        words.addAll(options);
        Command.of(identity, words.toArray(String[]::new)).run("set up a database in '" + data.getParent() + "'");
    }

    /** Refuses a cluster that another major version of PostgreSQL has made. */
    static void check(DataDirectory directory, String version) {
        Path file = directory.cluster().resolve("PG_VERSION");
        try {
            String found = Files.readString(file).strip();
            String major = version.substring(0, version.indexOf('.'));
            if (!found.equals(major)) {
                throw new EmbeddedException(
                        "the database in '" + directory.path() + "' was made by PostgreSQL " + found
                                + ", and this version of Leasehold brings PostgreSQL " + major
                                + "; use the version that made it, or copy what it holds to a new one with pg_dump and pg_restore");
            }
        } catch (IOException e) {
            throw Trouble.with("read '" + file + "'", e);
        }
    }
}
