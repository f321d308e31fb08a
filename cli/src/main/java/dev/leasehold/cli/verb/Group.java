package dev.leasehold.cli.verb;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing but hold others. */
@Command(synopsisSubcommandLabel = "COMMAND", usageHelpAutoWidth = true)
public abstract class Group implements Runnable {
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
                "Which one? One of " + String.join(", ", spec.subcommands().keySet()) + " must follow '"
                        + spec.qualifiedName(" ") + "'");
    }
}
