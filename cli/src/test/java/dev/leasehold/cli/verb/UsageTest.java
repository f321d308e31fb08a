package dev.leasehold.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(answer.err()).contains("--limits").contains("Try 'leasehold queue list --help'");
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
        assertThat(answer.err()).contains("There is no command 'leese' here").contains("lease");
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
    void completion_scripts_know_the_verbs() {
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
    void what_would_move_the_cursor_is_not_printed() {
        assertThat(Output.printable("a\u001b[2Jb\nc")).isEqualTo("a?[2Jb?c");
    }
}
