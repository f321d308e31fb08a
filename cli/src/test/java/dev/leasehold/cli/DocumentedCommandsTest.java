package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class DocumentedCommandsTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");

    static List<CommandLine> commands() {
        return Stream.of(Main.commandLine(question -> Optional.empty()))
                .flatMap(DocumentedCommandsTest::inner)
                .filter(command -> !command.getCommandName().equals("help"))
                .toList();
    }

    private static Stream<CommandLine> inner(CommandLine command) {
        return command.getSubcommands().isEmpty()
                ? Stream.of(command)
                : command.getSubcommands().values().stream().flatMap(DocumentedCommandsTest::inner);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_command_has_a_heading_and_an_example(CommandLine command) throws IOException {
        String name = command.getCommandSpec().qualifiedName(" ");
        String page = Files.readString(PAGE);
        assertThat(page).contains("### `" + name + "`");
        String section = page.substring(page.indexOf("### `" + name + "`"));
        int next = section.indexOf("\n##", 3);
        assertThat(next < 0 ? section : section.substring(0, next)).contains("```");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_option_is_on_the_page(CommandLine command) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(command.getCommandSpec().options())
                .allSatisfy(option -> assertThat(page).contains("`" + option.longestName()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_command_tells_its_help(CommandLine command) {
        String[] words = (command.getCommandSpec().qualifiedName(" ") + " --help").split(" ");
        Typed help = Typed.command(List.of(words).subList(1, words.length).toArray(String[]::new));
        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("Usage: " + command.getCommandSpec().qualifiedName(" "));
    }
}
