package dev.leasehold.cli.verb;

import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** The option that asks for output for scripts. */
public final class Format {
    @Option(names = "--json", order = 97, description = "Answer with one JSON document on standard output.")
    private boolean json;

    /** Where a command writes its answer. */
    public Output output(PrintWriter out) {
        return new Output(out, json);
    }
}
