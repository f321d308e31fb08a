package dev.leasehold.cli.command;

import dev.leasehold.cli.server.Logging;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One command: does its work and ends with an exit status. An exception becomes one sentence on standard error. */
@Command(sortOptions = false, usageHelpAutoWidth = true, synopsisSubcommandLabel = "COMMAND")
public abstract class CliCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--verbose",
            order = 98,
            description = "Print stack traces of failures, and the warnings of the engine.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = 99,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // the parser looks at it
    private boolean help;

    @Override
    public final Integer call() {
        if (verbose) {
            Logging.quiet();
        }
        try {
            int status = run();
            out().flush();
            return status;
        } catch (Exception e) {
            return fail(e);
        }
    }

    private int fail(Exception e) {
        out().flush();
        CliErrors.print(spec.commandLine(), CliErrors.sentence(e, neededPermission()));
        if (verbose) {
            e.printStackTrace(err());
        }
        return CliErrors.status(e);
    }

    /** Does the work and returns the exit status. */
    protected abstract int run() throws Exception;

    /** What a server asks for before it does this, for the message of a refusal: {@code locks.read in the namespace 'billing'}. */
    protected String neededPermission() {
        return "";
    }

    protected final CommandSpec spec() {
        return spec;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints to standard error what is not the result, such as what was done. */
    protected final void note(String text) {
        err().println(text);
    }
}
