package dev.leasehold.cli.lock;

import dev.leasehold.lock.LockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes a lock id that begins with '-' for a lock id. One in 64 does, and {@code release -hAb…} would otherwise
 * show the help and end with status 0. As the word of a command it is set behind the {@code --} that ends the options;
 * as the value of an option it is taken whatever it looks like.
 */
final class DashedLockId implements IParameterPreprocessor, IParameterConsumer {
    private static final String END_OF_OPTIONS = "--";

    @Override
    @SuppressWarnings("JdkObsolete") // the parser's own type
    public boolean preprocess(
            Stack<String> arguments, CommandSpec command, @Nullable ArgSpec none, Map<String, Object> info) {
        List<String> options = new ArrayList<>();
        List<String> lockIds = new ArrayList<>();
        while (!arguments.isEmpty() && !arguments.peek().equals(END_OF_OPTIONS)) {
            String argument = arguments.pop();
            boolean isLockId = isDashedLockId(argument) && !lastTakesValue(options, command);
            (isLockId ? lockIds : options).add(argument);
        }
        if (!arguments.isEmpty()) {
            arguments.pop();
        }
        pushAll(lockIds, arguments);
        arguments.push(END_OF_OPTIONS);
        pushAll(options, arguments);
        return false;
    }

    @Override
    @SuppressWarnings("JdkObsolete") // the parser's own type
    public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
        if (arguments.isEmpty()) {
            throw new MissingParameterException(
                    command.commandLine(), option, "Missing lock id behind " + ((OptionSpec) option).longestName());
        }
        option.setValue(arguments.pop());
    }

    private static boolean isDashedLockId(String argument) {
        return argument.startsWith("-") && LockId.isWellFormed(argument);
    }

    private static boolean lastTakesValue(List<String> options, CommandSpec command) {
        OptionSpec last = options.isEmpty() ? null : command.findOption(options.get(options.size() - 1));
        return last != null && last.arity().max() > 0;
    }

    /** So that the first is the next to be taken. */
    @SuppressWarnings("JdkObsolete") // the parser's own type
    private static void pushAll(List<String> words, Stack<String> arguments) {
        for (int i = words.size() - 1; i >= 0; i--) {
            arguments.push(words.get(i));
        }
    }
}
