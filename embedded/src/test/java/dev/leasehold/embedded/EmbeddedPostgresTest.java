package dev.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EmbeddedPostgresTest {
    @TempDir
    Path temporary;

    /** With a space in its name, and a database in it that was made before. */
    private Path directory;

    @BeforeEach
    void directory() {
        directory = Scratch.withDatabase(temporary.resolve("data of ours"));
    }

    @Test
    void the_first_start_makes_a_durable_database_behind_a_password() throws Exception {
        directory = Scratch.dataDirectory(temporary.resolve("data of others"));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            assertThat(List.of(
                            show(postgres, "fsync"),
                            show(postgres, "synchronous_commit"),
                            show(postgres, "full_page_writes"),
                            show(postgres, "data_checksums"),
                            show(postgres, "server_encoding"),
                            show(postgres, "listen_addresses"),
                            show(postgres, "unix_socket_directories")))
                    .containsExactly("on", "on", "on", "on", "UTF8", "127.0.0.1", "");
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "guessed"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("28P01");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(directory.resolve("database/password"))))
                    .isEqualTo("rw-------");
        }
        assertThat(directory.resolve("database/data/postmaster.pid")).doesNotExist();
    }

    @Test
    void the_second_start_finds_what_the_first_has_kept() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            execute(postgres, "create table kept (id int)", "insert into kept values (7)");
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            assertThat(ask(postgres, "select id from kept")).isEqualTo("7");
        }
    }

    @Test
    void a_database_that_outlived_its_process_with_other_settings_is_stopped_first() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            execute(postgres, "create table kept (id int)", "insert into kept values (7)");
        }
        Path cluster = directory.toRealPath().resolve("database/data");
        Command.of(
                        Identity.of(cluster),
                        Scratch.programs().resolve("bin/pg_ctl").toString(),
                        "start",
                        "--wait",
                        "--pgdata=" + cluster,
                        "--log=" + cluster.resolveSibling("postgresql.log"),
                        "--options="
                                + new Settings(Map.of())
                                        .options(Scratch.freePort())
                                        .replace("fsync='on'", "fsync='off'"))
                .run("start it carelessly");
        long careless = Postmaster.running(cluster).orElseThrow().pid();

        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            assertThat(show(postgres, "fsync")).isEqualTo("on");
            assertThat(ask(postgres, "select id from kept")).isEqualTo("7");
            assertThat(Postmaster.running(cluster).orElseThrow().pid()).isNotEqualTo(careless);
        }
    }

    @Test
    void what_a_killed_initdb_and_a_killed_unpacking_have_left_is_thrown_away() throws Exception {
        directory = Scratch.dataDirectory(temporary.resolve("killed"));
        Files.createDirectories(directory.resolve("database.new/data/base"));
        Files.writeString(directory.resolve("database.new/password"), "half");
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            assertThat(ask(postgres, "select 1")).isEqualTo("1");
        }
        assertThat(directory.resolve("database.new")).doesNotExist();

        Path home = temporary.resolve("programs");
        Files.createDirectories(temporary.resolve("programs.new/bin"));
        Files.writeString(temporary.resolve("programs.new/bin/postgres"), "half");
        Programs.unpacked(home);
        assertThat(Files.size(home.resolve("bin/postgres"))).isGreaterThan(1_000_000);
        assertThat(temporary.resolve("programs.new")).doesNotExist();
    }

    @Test
    void a_pid_file_that_names_somebody_elses_process_is_stale() throws Exception {
        Path cluster = directory.toRealPath().resolve("database/data");
        Files.writeString(
                cluster.resolve("postmaster.pid"), ProcessHandle.current().pid() + "\n" + cluster + "\n1\n5432\n");
        assertThat(Postmaster.running(cluster)).isEmpty();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            assertThat(ask(postgres, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void a_second_server_on_the_same_directory_is_refused() {
        try (EmbeddedPostgres first = EmbeddedPostgres.start(directory, 0)) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(directory, 0))
                    .isInstanceOf(EmbeddedException.class)
                    .hasMessage("another server runs on the data directory '" + first.directory() + "' (process "
                            + ProcessHandle.current().pid()
                            + "); stop it, or choose another directory with --data-dir");
        }
    }

    @Test
    void a_port_in_use_is_said_and_leaves_the_directory_free() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(directory, taken.getLocalPort()))
                    .isInstanceOf(EmbeddedException.class)
                    .hasMessageContaining("did not start on port " + taken.getLocalPort())
                    .hasMessageContaining("Address already in use");
        }
        EmbeddedPostgres.start(directory, 0).close();
    }

    @Test
    void a_database_of_another_major_version_is_refused() throws Exception {
        Files.writeString(directory.resolve("database/data/PG_VERSION"), "11\n");
        assertThatThrownBy(() -> EmbeddedPostgres.start(directory, 0))
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining("was made by PostgreSQL 11, and this version of Leasehold brings PostgreSQL "
                        + EmbeddedPostgres.version().split("\\.", -1)[0]);
    }

    @Test
    void a_directory_that_cannot_be_used_is_said_in_a_sentence() throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> EmbeddedPostgres.start(file, 0))
                .isInstanceOf(EmbeddedException.class)
                .hasMessageStartingWith("could not use the data directory '" + file + "'");
        assertThatThrownBy(() -> EmbeddedPostgres.start(temporary.resolve("a$b"), 0))
                .hasMessageContaining("must not contain quotes, dollar signs, backslashes or line breaks");
    }

    private static String show(EmbeddedPostgres postgres, String setting) throws SQLException {
        return ask(postgres, "show " + setting);
    }

    private static String ask(EmbeddedPostgres postgres, String query) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void execute(EmbeddedPostgres postgres, String... statements) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }
}
