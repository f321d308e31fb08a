package dev.leasehold.cli.command;

import dev.leasehold.LeaseholdException;
import dev.leasehold.cli.config.ConfigException;
import dev.leasehold.cli.config.Suggestion;
import dev.leasehold.cli.server.StartException;
import dev.leasehold.embedded.EmbeddedException;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into one line on standard error and an exit status. */
public final class CliErrors {
    /** Exceptions whose messages are written for people. A stack trace is for all others. */
    private static final List<Class<? extends Exception>> SENTENCES = List.of(
            ConfigException.class,
            EmbeddedException.class,
            StartException.class,
            LeaseholdException.class,
            IllegalArgumentException.class);

    /** How a server refuses a caller that it knows, whatever was asked for. */
    private static final String FORBIDDEN = "access denied";

    private CliErrors() {}

    static void print(CommandLine command, String sentence) {
        String prefix = command.getColorScheme().errorText("leasehold:").toString();
        command.getErr().println(prefix + " " + sentence);
    }

    /** Reports a command line that cannot be parsed: what is wrong, what was probably meant, and where the help is. */
    public static int wrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        boolean isUnmatched = e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty();
        String wrong = isUnmatched
                ? unmatched(
                        command, ((UnmatchedArgumentException) e).getUnmatched().get(0))
                : oneLine(String.valueOf(e.getMessage()));
        print(
                command,
                wrong + (wrong.endsWith("?") ? " Try '" : ". Try '")
                        + command.getCommandSpec().qualifiedName(" ") + " --help'");
        return ExitStatus.USAGE;
    }

    private static String unmatched(CommandLine command, String argument) {
        CommandSpec spec = command.getCommandSpec();
        String name = argument.replaceAll("=.*", "");
        if (name.startsWith("-") && name.length() > 1) {
            Set<String> options = spec.options().stream()
                    .flatMap(option -> List.of(option.names()).stream())
                    .filter(option -> option.startsWith("--"))
                    .collect(Collectors.toSet());
            return "there is no option '" + name + "'" + Suggestion.question(name, options);
        }
        return spec.subcommands().isEmpty()
                ? "'" + argument + "' is one argument too many"
                : noSuchCommand(command, argument);
    }

    /** Says that a command has no subcommand of that name, and which was probably meant. */
    public static String noSuchCommand(CommandLine command, String name) {
        Set<String> names = command.getSubcommands().keySet();
        String suggestion = Suggestion.question(name, names);
        return "there is no command '" + command.getCommandSpec().qualifiedName(" ") + " " + name + "'"
                + (suggestion.isEmpty() ? "; there are " + String.join(", ", names) : suggestion);
    }

    /** Reports the exception of a command that is no {@link CliCommand}; throws it again if it should not happen. */
    public static int failed(Exception e, CommandLine command, ParseResult parsed) throws Exception {
        if (SENTENCES.stream().noneMatch(type -> type.isInstance(e))) {
            throw e;
        }
        print(command, sentence(e, ""));
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** The message in one line; a refusal says which permission was needed. */
    static String sentence(Throwable failure, String neededPermission) {
        Throwable real = real(failure);
        String message = real.getMessage();
        if (message == null || message.isBlank()) {
            return real.getClass().getSimpleName();
        }
        return message.equals(FORBIDDEN) && !neededPermission.isEmpty()
                ? FORBIDDEN + ": this needs the permission " + neededPermission
                : oneLine(message);
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    static int status(Throwable failure) {
        Throwable real = real(failure);
        if (real instanceof CliException known) {
            return known.status();
        }
        if (real instanceof LockException lock) {
            return status(lock.code());
        }
        if (real instanceof QueueException queue) {
            return queue.code() == QueueErrorCode.INVALID_ARGUMENT ? ExitStatus.USAGE : ExitStatus.FAILURE;
        }
        return real instanceof ConfigException || real instanceof IllegalArgumentException
                ? ExitStatus.USAGE
                : ExitStatus.FAILURE;
    }

    private static int status(LockErrorCode code) {
        return switch (code) {
            case ACQUISITION_TIMEOUT -> ExitStatus.NOT_NOW;
            case INVALID_ARGUMENT -> ExitStatus.USAGE;
            default -> ExitStatus.FAILURE;
        };
    }

    private static Throwable real(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }
}
