package dev.leasehold.cli.verb;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One command: does its work, and ends with a status. What it throws is told in a sentence. */
@Command(sortOptions = false, usageHelpAutoWidth = true, synopsisSubcommandLabel = "COMMAND")
public abstract class Verb implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--verbose", order = 98, description = "Tell failures with their stack trace.")
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
        try {
            int status = run();
            out().flush();
            return status;
        } catch (Exception e) {
            return complain(e);
        }
    }

    private int complain(Exception e) {
        out().flush();
        err().println("leasehold: " + Complaints.sentence(e));
        if (verbose) {
            e.printStackTrace(err());
        }
        return Complaints.status(e);
    }

    /** Does the work and returns the status to end with. */
    protected abstract int run() throws Exception;

    protected final CommandSpec spec() {
        return spec;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Tells something that is no answer, such as what was done. */
    protected final void note(String text) {
        err().println(text);
    }
}
