package dev.leasehold.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.PgBouncer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What the doctor says of a pooler. Needs pgbouncer to be installed. */
@Timeout(120)
@Tag("slow")
class DoctorBehindPgBouncerTest {
    private final PGSimpleDataSource direct = TestPostgres.newSchema();

    @BeforeAll
    static void needPgBouncer() {
        assumeTrue(PgBouncer.isInstalled(), "pgbouncer is not installed");
    }

    private static JsonNode pooler(Typed answer) throws JsonProcessingException {
        return DoctorCommandTest.finding(answer, "pooler");
    }

    /** Which of its free connections a pooler gives away next, the last or the first, must not matter. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void transaction_mode_is_told_with_what_follows_from_it(String roundRobin) throws IOException {
        Typed.command("migrate", "--url", Places.url(direct));
        try (PgBouncer bouncer = PgBouncer.before(direct, Map.of("server_round_robin", roundRobin))) {
            Typed answer = Typed.command("doctor", "--url", bouncer.url(), "--json");
            assertThat(pooler(answer).get("status").asText()).isEqualTo("warn");
            assertThat(pooler(answer).get("found").asText()).isEqualTo("a pooler in transaction mode is in between");
            assertThat(pooler(answer).get("advice").asText())
                    .contains("nobody is woken through it")
                    .contains("past the pooler");
            assertThat(answer.out()).doesNotContain("could not be checked");
            assertThat(answer.status()).as(answer.out()).isZero();
        }
    }

    @Test
    void a_question_may_be_asked_often_although_another_backend_answers_each_time() throws Exception {
        try (PgBouncer bouncer = PgBouncer.before(direct, Map.of("server_round_robin", "1"));
                Connection one = bouncer.pooled().getConnection();
                Connection other = bouncer.pooled().getConnection()) {
            other.setAutoCommit(false);
            backend(other);
            Set<Integer> seen = new HashSet<>(Set.of(backend(one)));
            other.commit();
            for (int i = 0; i < 10; i++) {
                seen.add(backend(one));
            }
            assertThat(seen).hasSize(2);
        }
    }

    private static int backend(Connection connection) throws SQLException {
        return PoolerProbe.backend(connection);
    }

    @Test
    void session_mode_is_told_from_it() throws IOException {
        Map<String, String> settings = Map.of("pool_mode", "session", "default_pool_size", "5");
        try (PgBouncer bouncer = PgBouncer.before(direct, settings)) {
            Typed answer = Typed.command("doctor", "--url", bouncer.url(), "--json");
            assertThat(pooler(answer).get("status").asText()).isEqualTo("warn");
            assertThat(pooler(answer).get("found").asText()).contains("in session mode");
        }
    }

    @Test
    void a_pooler_that_refuses_a_search_path_in_the_address_is_told_with_what_to_do_instead() throws IOException {
        try (PgBouncer bouncer = PgBouncer.before(direct)) {
            Typed answer = Typed.command("doctor", "--url", bouncer.url() + "&currentSchema=public");
            assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
            assertThat(answer.out())
                    .containsPattern("fail +connection +.*unsupported startup parameter: search_path")
                    .contains("alter role … set search_path");
        }
    }
}
