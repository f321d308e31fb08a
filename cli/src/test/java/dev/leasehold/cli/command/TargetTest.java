package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TargetTest {
    private static Target typed(String... words) {
        Target target = new Target();
        CommandLine command = new CommandLine(CommandLine.Model.CommandSpec.create()
                .addMixin("target", CommandLine.Model.CommandSpec.forAnnotatedObject(target)));
        command.parseArgs(words);
        return target;
    }

    @Test
    void the_option_wins_over_the_environment() {
        Map<String, String> environment = Map.of("LEASEHOLD_URL", "http://a:1", "QUERATOR_ENDPOINT", "http://b:2");
        assertThat(typed("--url", "http://c:3").address(environment)).isEqualTo("http://c:3");
        assertThat(typed().address(environment)).isEqualTo("http://a:1");
    }

    @Test
    void the_variable_of_querator_is_honoured_and_the_default_is_this_machine() {
        assertThat(typed().address(Map.of("QUERATOR_ENDPOINT", "http://b:2"))).isEqualTo("http://b:2");
        assertThat(typed().address(Map.of("LEASEHOLD_URL", " "))).isEqualTo("http://127.0.0.1:2319");
    }

    @Test
    void a_token_comes_from_the_option_a_file_or_the_environment(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), "from-file\n");
        Map<String, String> environment = Map.of("LEASEHOLD_TOKEN", "from-environment");
        assertThat(typed("--token", "typed").token(environment)).isEqualTo("typed");
        assertThat(typed("--token-file", file.toString()).token(environment)).isEqualTo("from-file");
        assertThat(typed().token(environment)).isEqualTo("from-environment");
        assertThat(typed().token(Map.of())).isEmpty();
    }

    @Test
    void a_token_from_two_places_is_refused_without_repeating_it() {
        assertThatThrownBy(() -> typed("--token", "s3cret", "--token-file", "x").token(Map.of()))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("exclude each other")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void both_spellings_of_postgres_and_jdbc_are_known() {
        assertThat(typed("--url", "postgres://h/d").isPostgres()).isTrue();
        assertThat(typed("--url", "postgresql://h/d").isPostgres()).isTrue();
        assertThat(typed("--url", "jdbc:postgresql://h/d").isPostgres()).isTrue();
        assertThat(typed("--url", "https://h").isPostgres()).isFalse();
    }

    @Test
    void an_address_that_is_none_is_wrong_usage() {
        Typed answer = Typed.command("lock", "list", "--url", "ftp://example");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).startsWith("leasehold: ").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "db:5432/app", "localhost:2319", "http://", "mysql://ann:hunter2@db/app"})
    void an_address_without_a_known_scheme_says_what_one_looks_like(String address) {
        for (String[] words : new String[][] {{"lock", "list"}, {"queue", "list"}, {"doctor"}}) {
            Typed answer = Typed.command(Typed.at(address, words));
            assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
            assertThat(answer.err())
                    .startsWith("leasehold: --url must look like http://127.0.0.1:2319 or postgres://")
                    .doesNotContain("null")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void a_password_comes_from_the_address_a_file_or_the_environment(@TempDir Path directory) throws IOException {
        String file =
                Files.writeString(directory.resolve("password"), "from-file\n").toString();
        Map<String, String> environment = Map.of("PGPASSWORD", "from-environment");
        Target target = typed("--url", "postgres://ann@h/d");
        assertThat(target.database(environment).password()).isEqualTo("from-environment");
        assertThat(target.database(Map.of()).password()).isNull();
        assertThat(typed("--url", "postgres://ann@h/d", "--password-file", file)
                        .database(environment)
                        .password())
                .isEqualTo("from-file");
        assertThat(typed("--url", "postgres://ann:typed@h/d")
                        .database(environment)
                        .password())
                .isEqualTo("typed");
        assertThatThrownBy(() -> typed("--url", "postgres://ann:s3cret@h/d", "--password-file", file)
                        .database(environment))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("exclude each other")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--password-file", "--token-file"})
    void a_file_that_is_not_there_is_named_with_the_reason(String option) {
        Typed answer = Typed.command("lock", "list", "--url", "postgres://ann@127.0.0.1:1/d", option, "/nope");
        if (option.equals("--token-file")) {
            answer = Typed.command("lock", "list", option, "/nope");
        }
        assertThat(answer.err()).contains("could not be read from /nope: there is no such file");
    }

    @Test
    void a_server_that_is_away_is_a_failure_told_in_one_line() {
        Typed answer = Typed.command("lock", "lookup", "k", "--url", "http://127.0.0.1:1");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.err().lines()).hasSize(1);
    }

    @Test
    void a_stack_trace_is_told_who_asks_for_it() {
        Typed answer = Typed.command("lock", "lookup", "k", "--url", "http://127.0.0.1:1", "--verbose");
        assertThat(answer.err()).contains("\tat ");
    }
}
