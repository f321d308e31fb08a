package dev.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ApplicationRoleTest {
    @TempDir
    Path temporary;

    private Path directory;

    @BeforeEach
    void directory() {
        directory = Scratch.withDatabase(temporary.resolve("data"));
    }

    @Test
    void the_application_is_no_superuser_and_owns_its_database() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
                Connection connection = application(postgres)) {
            assertThat(ask(connection, "show is_superuser")).isEqualTo("off");
            execute(connection, "create table t (id int)", "create schema s", "vacuum t");
            assertThatThrownBy(() -> execute(connection, "copy t from program 'echo 1'"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("42501");
            assertThat(postgres.applicationPassword()).isNotEqualTo(postgres.password());
        }
    }

    @Test
    void it_takes_over_what_the_superuser_of_an_earlier_build_owned() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
                Connection superuser = superuser(postgres)) {
            execute(
                    superuser,
                    "alter database leasehold owner to leasehold",
                    "create table plain (id bigserial primary key, at bigint generated always as identity)",
                    "create sequence \"Numbers\"",
                    "create schema mine",
                    "create table mine.parts (id int) partition by list (id)",
                    "create table mine.part_1 partition of mine.parts for values in (1)",
                    "create view seen as select id from plain",
                    "insert into plain default values");
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
                Connection connection = application(postgres)) {
            assertThat(ask(connection, "select id from seen")).isEqualTo("1");
            execute(
                    connection,
                    "alter table plain add column more int",
                    "insert into plain default values",
                    "insert into mine.parts values (1)",
                    "select nextval('\"Numbers\"')",
                    "create or replace view seen as select id from plain",
                    "drop table plain cascade",
                    "drop schema mine cascade");
        }
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_server_whose_synchronous_standby_is_away_starts() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
                Connection superuser = superuser(postgres)) {
            execute(superuser, "alter system set synchronous_standby_names = 'nobody'");
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
                Connection connection = application(postgres)) {
            assertThat(ask(connection, "show synchronous_standby_names")).isEqualTo("nobody");
        }
    }

    @Test
    void no_value_of_a_failed_statement_is_in_the_log_of_the_server() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0);
                Connection connection = application(postgres)) {
            execute(connection, "create table locks (lock_id text primary key, n int)");
            execute(connection, "insert into locks values ('s3cret-id', 1)");
            fails(connection, "insert into locks values ('s3cret-id', 2)"); // named in the detail of a unique violation
            fails(connection, "select 's3cret-payload'::int"); // named in the message itself
            fails(connection, "select s3cret_word from locks");
            fails(connection, "select 1 / (length('s3cret-length') - 13)");
            try (var statement = connection.prepareStatement("insert into locks values (?, 3)")) {
                statement.setString(1, "s3cret-id");
                assertThatThrownBy(statement::execute).isInstanceOf(SQLException.class);
            }
            try (Connection superuser = superuser(postgres)) {
                fails(superuser, "insert into locks values ('s3cret-id', 2)");
            }
        }
        assertThat(Files.readString(directory.resolve("database/postgresql.log")))
                .contains("database system is shut down")
                .doesNotContain("s3cret");
    }

    private static Connection application(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.applicationUser(), postgres.applicationPassword());
    }

    private static Connection superuser(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    private static void fails(Connection connection, String sql) {
        assertThatThrownBy(() -> execute(connection, sql)).isInstanceOf(SQLException.class);
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    private static String ask(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : "";
        }
    }
}
