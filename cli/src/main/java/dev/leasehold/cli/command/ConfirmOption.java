package dev.leasehold.cli.command;

import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Option;

/** The option that answers yes to the question before something is deleted. */
public final class ConfirmOption {
    private static final Set<String> YES = Set.of("y", "yes");

    private final Prompt prompt;

    @Option(
            names = {"-y", "--yes"},
            order = 95,
            description = "Do not ask.")
    private boolean yes;

    public ConfirmOption(Prompt prompt) {
        this.prompt = prompt;
    }

    /** Asks the question, unless {@code --yes} was given; throws unless the answer is yes. */
    public void require(String question) {
        if (yes) {
            return;
        }
        String answer = prompt.ask(question + " [y/N] ")
                .orElseThrow(
                        () -> CliException.usage(question + " There is no terminal to ask at: repeat it with --yes"));
        if (!YES.contains(answer.strip().toLowerCase(Locale.ROOT))) {
            throw CliException.failed("Nothing was deleted");
        }
    }
}
