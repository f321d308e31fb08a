package dev.leasehold.cli.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option that chooses between text for people and JSON for scripts. */
public final class OutputFormat {
    @Option(names = "--json", order = 97, description = "Print one JSON document to standard output.")
    private boolean json;

    boolean isJson() {
        return json;
    }

    /** Where a command writes its result: standard output. */
    public Output output(CommandLine command) {
        return output(command, command.getOut());
    }

    Output output(CommandLine command, PrintWriter out) {
        return new Output(out, command.getColorScheme(), json);
    }
}
