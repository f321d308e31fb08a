package dev.leasehold.chaos.site;

import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Makes standbys: a copy of the files of a running primary, which then follows it. No program but the server itself is needed. */
public final class Standby {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Standby() {}

    /**
     * Starts a standby of {@code primary} in {@code directory}; returns when it follows.
     *
     * @param synchronous whether the primary acknowledges a commit only when the standby has it
     */
    public static Database follow(Database primary, Path directory, boolean synchronous) {
        String name = "standby_" + directory.getFileName().toString().replace('-', '_');
        try {
            copy(primary, directory);
            configure(primary, directory, name);
        } catch (IOException | SQLException e) {
            throw new HarnessException("could not copy the primary: " + e.getMessage(), e);
        }
        Database standby = Database.start(directory);
        await(primary, name, "streaming", "state");
        if (synchronous) {
            primary.execute("alter system set synchronous_standby_names = '" + name + "'", "select pg_reload_conf()");
            await(primary, name, "sync", "sync_state");
        }
        return standby;
    }

    /** Makes it a primary: with what it has got until now. */
    public static void promote(Database standby) {
        standby.execute("select pg_promote(true, 60)");
    }

    private static void copy(Database primary, Path directory) throws IOException, SQLException {
        Files.createDirectory(directory);
        try (DirectoryStream<Path> programs = Files.newDirectoryStream(primary.directory(), "postgresql-*")) {
            for (Path home : programs) {
                Files.createSymbolicLink(directory.resolve(home.getFileName()), home.toRealPath());
            }
        }
        try (Connection connection = primary.connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('chaos', true)");
            copyTree(primary.directory().resolve("database"), directory.resolve("database"));
            try (ResultSet label = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
                label.next();
                Files.writeString(directory.resolve("database/data/backup_label"), label.getString(1));
            }
        }
    }

    /** Files that vanish meanwhile make it say no; the log of the primary brings them back. */
    private static void copyTree(Path from, Path to) throws IOException {
        try {
            new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }

    private static void configure(Database primary, Path directory, String name) throws IOException {
        primary.execute("select pg_create_physical_replication_slot('" + name + "', true)");
        Path data = directory.resolve("database/data");
        Files.deleteIfExists(data.resolve("postmaster.pid"));
        Files.createFile(data.resolve("standby.signal"));
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "\nprimary_conninfo = 'host=127.0.0.1 port=" + primary.port() + " user=" + primary.user()
                        + " password=" + primary.password() + " application_name=" + name + "'\n"
                        + "primary_slot_name = '" + name + "'\n"
                        + "synchronous_standby_names = ''\n"
                        + "wal_receiver_status_interval = '100ms'\n",
                StandardOpenOption.APPEND);
    }

    private static void await(Database primary, String name, String value, String column) {
        String query = "select " + column + " from pg_stat_replication where application_name = '" + name + "'";
        Polling.await(
                "a standby that is " + value,
                PATIENCE,
                () -> primary.ask("postgres", query).contains(value));
    }
}
