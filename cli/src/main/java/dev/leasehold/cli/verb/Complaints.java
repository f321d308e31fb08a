package dev.leasehold.cli.verb;

import dev.leasehold.cli.config.ConfigException;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import java.util.concurrent.CompletionException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What went wrong, in one sentence, and the status that goes with it. */
public final class Complaints {
    private Complaints() {}

    /** Tells what is wrong with the way a command was typed, and where its help is. */
    public static int wrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        command.getErr().println("leasehold: " + sentence(e));
        UnmatchedArgumentException.printSuggestions(e, command.getErr());
        if (command.getSubcommands().isEmpty()) {
            command.getErr().println("Try '" + command.getCommandSpec().qualifiedName(" ") + " --help'.");
        } else {
            command.usage(command.getErr());
        }
        return ExitStatus.USAGE;
    }

    static String sentence(Throwable failure) {
        Throwable real = real(failure);
        String message = real.getMessage();
        return message == null || message.isBlank()
                ? real.getClass().getSimpleName()
                : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    static int status(Throwable failure) {
        Throwable real = real(failure);
        if (real instanceof VerbException known) {
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
