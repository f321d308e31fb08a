package dev.leasehold.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

class DoctorCommandTest {
    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final String url = Places.url(schema);

    static JsonNode finding(Typed answer, String check) throws JsonProcessingException {
        JsonNode findings = new ObjectMapper().readTree(answer.out()).get("findings");
        return StreamSupport.stream(findings.spliterator(), false)
                .filter(one -> one.get("check").asText().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError(answer.out()));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = schema.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a_database_with_everything_passes() {
        Typed.command("migrate", "--url", url);
        Typed answer = Typed.command("doctor", "--url", url);
        assertThat(answer.status()).as(answer.out()).isZero();
        assertThat(answer.out())
                .contains("STATUS")
                .containsPattern("ok +connection")
                .containsPattern("ok +version +PostgreSQL 1[4-8]")
                .containsPattern("ok +schema")
                .containsPattern("ok +clock")
                .containsPattern("ok +pooler +none in between")
                .doesNotContain("could not be checked");
        assertThat(answer.err()).contains("0 failure(s)");
    }

    @Test
    void missing_tables_fail_and_the_command_for_them_is_named() throws JsonProcessingException {
        Typed answer = Typed.command("doctor", "--url", url, "--json");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        JsonNode found = finding(answer, "schema");
        assertThat(found.get("status").asText()).isEqualTo("fail");
        assertThat(found.get("advice").asText()).contains("leasehold migrate");
    }

    @Test
    void a_missing_index_is_told_with_the_statement_that_creates_it() throws SQLException, JsonProcessingException {
        Typed.command("migrate", "--url", url);
        Typed.command("queue", "create", "q", "--url", url);
        Typed.command("queue", "produce", "q", "-p", "x", "--url", url);
        String index = indexOfItems();
        execute("drop index \"" + index + "\"");
        JsonNode found = finding(Typed.command("doctor", "--url", url, "--json"), "indexes");
        assertThat(found.get("status").asText()).isEqualTo("fail");
        assertThat(found.get("found").asText()).contains(index);
        execute(found.get("advice").asText());
        assertThat(finding(Typed.command("doctor", "--url", url, "--json"), "indexes")
                        .get("status")
                        .asText())
                .isEqualTo("ok");
    }

    private String indexOfItems() throws SQLException {
        try (Connection connection = schema.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select indexname from pg_indexes where schemaname ="
                        + " current_schema() and indexname like 'idx%lse'")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    @Test
    void another_isolation_level_and_lazy_commits_are_noticed() throws JsonProcessingException {
        String other = url + "&options=-c%20default_transaction_isolation=serializable%20-c%20synchronous_commit=off";
        Typed answer = Typed.command("doctor", "--url", other, "--json");
        assertThat(finding(answer, "isolation").get("found").asText()).contains("serializable");
        assertThat(finding(answer, "durability").get("status").asText()).isEqualTo("fail");
    }

    @Test
    void a_transaction_that_stays_open_is_named() throws SQLException {
        try (Connection idle = schema.getConnection();
                Connection looking = schema.getConnection();
                Statement statement = idle.createStatement()) {
            idle.setAutoCommit(false);
            idle.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.executeQuery("select pg_backend_pid()").close();
            int pid = idle.unwrap(PGConnection.class).getBackendPID();
            Verdict verdict = DatabaseChecks.transactions(new Database(schema, looking), Duration.ZERO);
            assertThat(verdict.level()).isEqualTo(Verdict.Level.WARN);
            assertThat(verdict.found()).contains("pid " + pid + " ").contains("idle in transaction");
        }
    }

    @Test
    void a_database_that_is_away_fails_without_telling_the_password() {
        Typed answer = Typed.command("doctor", "--url", "postgres://app:s3cret@127.0.0.1:1/app");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.out()).containsPattern("fail +connection").doesNotContain("s3cret");
    }
}
