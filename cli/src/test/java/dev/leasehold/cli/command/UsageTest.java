package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {
    @Test
    void a_group_alone_says_what_may_follow() {
        Typed answer = Typed.command("lock");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("acquire").contains("force-release");
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void an_unknown_option_is_wrong_usage_and_the_help_is_named() {
        Typed answer = Typed.command("queue", "list", "--limits", "3");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err())
                .isEqualToIgnoringNewLines("leasehold: there is no option '--limits'; did you mean '--limit'?"
                        + " Try 'leasehold queue list --help'");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "lock aquire k, there is no command 'leasehold lock aquire'; did you mean 'acquire'?",
                "queue lsit, there is no command 'leasehold queue lsit'; did you mean 'list'?",
                "quue list, there is no command 'leasehold quue'; did you mean 'queue'?",
                "lock acquire k --tll=3s, there is no option '--tll'; did you mean '--ttl'?",
                "queue info a b, 'b' is one argument too many.",
                "help queue leese, there is no command 'leasehold queue leese'; did you mean 'lease'?",
                "queue list --limit x, Invalid value for option '--limit': 'x' is not an int.",
                "lock acquire, Missing required parameter: 'KEY'."
            })
    void wrong_usage_is_one_line_with_a_suggestion_and_the_command_for_help(String words, String message) {
        Typed answer = Typed.command(words.split(" "));
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err().lines()).hasSize(1);
        assertThat(answer.err())
                .startsWith("leasehold: " + message + " Try 'leasehold")
                .endsWith(" --help'\n");
    }

    @Test
    void nothing_at_all_shows_the_commands() {
        Typed answer = Typed.command();
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("Usage: leasehold").contains("doctor");
    }

    @Test
    void help_finds_commands_within_commands() {
        assertThat(Typed.command("help", "queue", "lease").out())
                .isEqualTo(Typed.command("queue", "lease", "--help").out())
                .contains("Usage: leasehold queue lease");
        assertThat(Typed.command("help", "queue").out()).contains("Usage: leasehold queue");
        assertThat(Typed.command("help").out()).contains("Usage: leasehold").contains("doctor");
    }

    @Test
    void help_of_a_command_that_is_not_there_is_wrong_usage() {
        Typed answer = Typed.command("help", "queue", "leese");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err())
                .contains("there is no command 'leasehold queue leese'")
                .contains("lease");
    }

    @Test
    void a_file_that_cannot_be_read_is_named_with_the_reason(@TempDir Path directory) {
        assertThat(Typed.command("queue", "produce", "q", "--file", "/nope", "--url", "http://127.0.0.1:1")
                        .err())
                .contains("/nope could not be opened: there is no such file");
        assertThat(Typed.command("queue", "complete", "q", "--partition", "0", "--file", directory.toString())
                        .err())
                .contains("could not be opened: it is a directory");
        assertThat(Typed.command("config", "--config", "/nope.yaml").err())
                .contains("there is no configuration file '/nope.yaml'");
        assertThat(Typed.command("config", "--config", directory.toString()).err())
                .contains("could not read " + directory + ": Is a directory");
    }

    @Test
    void a_duration_without_a_unit_is_wrong_usage() {
        Typed answer = Typed.command("lock", "acquire", "k", "--ttl", "30");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("time: missing unit in duration \"30\"");
    }

    @Test
    void completion_scripts_know_the_commands() {
        assertThat(Typed.command("completion", "bash").out())
                .contains("force-release")
                .contains("--lease-timeout");
        assertThat(Typed.command("completion", "zsh").out())
                .contains("bashcompinit")
                .contains("force-release");
    }

    @Test
    void the_bash_script_is_one_that_bash_can_read(@TempDir Path directory) throws IOException, InterruptedException {
        Path script = Files.writeString(
                directory.resolve("completion"),
                Typed.command("completion", "bash").out());
        assertThat(new ProcessBuilder("bash", "-n", script.toString()).start().waitFor())
                .isZero();
    }

    @Test
    void the_version_is_told() {
        assertThat(Typed.command("version").out()).startsWith("leasehold ").doesNotContain("unknown");
        assertThat(Typed.command("version", "--json").out()).contains("{\"version\":\"");
    }

    @Test
    void failures_are_red_on_a_terminal_only() {
        String[] words = {"lock", "list", "--url", "http://127.0.0.1:1"};
        assertThat(Typed.inColor(words).err()).contains("\u001b[31m").contains("leasehold:");
        assertThat(Typed.command(words).err()).startsWith("leasehold: ").doesNotContain("\u001b");
    }
}
