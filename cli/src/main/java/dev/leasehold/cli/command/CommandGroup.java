package dev.leasehold.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups others. */
@Command(synopsisSubcommandLabel = "COMMAND", usageHelpAutoWidth = true)
public abstract class CommandGroup implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // the parser looks at it
    private boolean help;

    @Override
    public final void run() {
        throw new ParameterException(
                spec.commandLine(),
                "'" + spec.qualifiedName(" ") + "' needs one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
