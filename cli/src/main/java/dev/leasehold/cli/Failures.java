package dev.leasehold.cli;

import dev.leasehold.LeaseholdException;
import dev.leasehold.cli.config.ConfigException;
import dev.leasehold.cli.server.StartException;
import dev.leasehold.embedded.EmbeddedException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Says in a sentence what went wrong. A stack trace is for what should not happen. */
final class Failures implements CommandLine.IExecutionExceptionHandler {
    /** Their messages are written for people. */
    private static final List<Class<? extends Exception>> SENTENCES = List.of(
            ConfigException.class,
            EmbeddedException.class,
            StartException.class,
            LeaseholdException.class,
            IllegalArgumentException.class);

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) throws Exception {
        if (SENTENCES.stream().noneMatch(type -> type.isInstance(e))) {
            throw e;
        }
        command.getErr().println("leasehold: " + e.getMessage());
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
