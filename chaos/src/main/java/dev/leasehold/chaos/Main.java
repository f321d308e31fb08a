package dev.leasehold.chaos;

import dev.leasehold.cli.server.Logging;
import picocli.CommandLine;

/** What {@code ./leasehold chaos} starts. */
public final class Main {
    /** The arguments are wrong, or the harness itself does not work. */
    private static final int NO_VERDICT = 2;

    private Main() {}

    public static void main(String[] args) {
        Logging.quiet();
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new ChaosCommand())
                .setExitCodeExceptionMapper(e -> NO_VERDICT)
                .setExecutionExceptionHandler((e, line, result) -> {
                    line.getErr().println("no verdict: " + e.getMessage());
                    if (!(e instanceof IllegalArgumentException)) {
                        e.printStackTrace(line.getErr());
                    }
                    return NO_VERDICT;
                });
    }
}
