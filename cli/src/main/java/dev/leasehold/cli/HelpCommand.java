package dev.leasehold.cli;

import dev.leasehold.cli.command.CliErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code leasehold help queue lease}: the same as {@code leasehold queue lease --help}. */
@Command(name = "help", description = "Show the help of a command.", helpCommand = true)
final class HelpCommand implements Runnable {
    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The words of the command, such as queue lease.")
    private List<String> words = new ArrayList<>();

    @Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Override
    public void run() {
        CommandLine self = Objects.requireNonNull(spec).commandLine();
        CommandLine command = self.getParent();
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(command, CliErrors.noSuchCommand(command, word));
            }
            command = next;
        }
        command.usage(self.getOut());
    }
}
