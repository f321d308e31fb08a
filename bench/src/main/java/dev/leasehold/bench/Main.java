package dev.leasehold.bench;

import dev.leasehold.cli.server.Logging;
import picocli.CommandLine;

/** The command {@code leasehold bench}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Logging.quiet();
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
