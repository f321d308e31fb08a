package dev.leasehold.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class MigrateCommandTest {
    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final String url = Places.url(schema);

    @Test
    void creates_what_is_missing_and_the_second_time_nothing() {
        Typed first = Typed.command("migrate", "--url", url, "--view", "locks");
        assertThat(first.status()).as(first.err()).isZero();
        assertThat(first.out()).containsPattern("lock tables: +created").containsPattern("queue tables: +created");
        Typed second = Typed.command("migrate", "--url", url);
        assertThat(second.out())
                .containsPattern("lock tables: +already there")
                .containsPattern("queue tables: +already there");
        assertThat(Typed.command("lock", "acquire", "k", "--url", url).status()).isZero();
    }

    @Test
    void a_dry_run_prints_sql_that_works_and_needs_no_database() throws SQLException {
        Typed printed = Typed.command("migrate", "--dry-run", "--url", "http://127.0.0.1:1");
        assertThat(printed.status()).isZero();
        try (Connection connection = schema.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(printed.out());
        }
        assertThat(Typed.command("migrate", "--url", url).out()).doesNotContain("created");
    }

    @Test
    void something_else_of_the_views_name_is_left_alone() throws SQLException {
        try (Connection connection = schema.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table locks (mine text)");
        }
        Typed answer = Typed.command("migrate", "--url", url, "--view", "locks");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.out()).contains("left alone");
    }

    @Test
    void a_server_cannot_be_migrated() {
        Typed answer = Typed.command("migrate", "--url", "http://127.0.0.1:1");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("needs a PostgreSQL");
    }
}
