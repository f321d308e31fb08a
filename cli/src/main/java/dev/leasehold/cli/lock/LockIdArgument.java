package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.Input;
import dev.leasehold.lock.LockId;
import java.io.IOException;
import java.util.List;

/** A lock id as it is typed. It is a secret: messages do not repeat it. */
final class LockIdArgument {
    /** For the help. */
    static final String HELP = "The lock id; '-' reads it from standard input, so that no list of processes shows it.";

    private LockIdArgument() {}

    static String read(String argument) throws IOException {
        String id = argument.equals(Input.STDIN) ? first(Input.words(null)) : argument;
        if (!LockId.isWellFormed(id)) {
            throw CliException.usage("A lock id has 22 characters out of A-Z, a-z, 0-9, '-' and '_'; this one has "
                    + id.length() + " characters or others");
        }
        return id;
    }

    private static String first(List<String> lines) {
        if (lines.size() != 1) {
            throw CliException.usage("Standard input must have one line, the lock id; it had " + lines.size());
        }
        return lines.get(0);
    }
}
