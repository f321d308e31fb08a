package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CliCommand;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.OutputFormat;
import dev.leasehold.cli.command.Target;
import dev.leasehold.lock.Locks;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command that works with locks. */
abstract class LockSubcommand extends CliCommand {
    @Mixin
    private final Target target = new Target();

    @Mixin
    private final OutputFormat format = new OutputFormat();

    @Override
    protected final int run() throws IOException {
        check();
        try (Locks locks = target.locks()) {
            return run(locks);
        }
    }

    final Target target() {
        return target;
    }

    final OutputFormat format() {
        return format;
    }

    /** Refuses what can be seen to be wrong without asking anybody. */
    void check() throws IOException {}

    /** Does the work; overridden by commands that show it again and again. */
    int run(Locks locks) {
        return run(locks, format.output(spec().commandLine()));
    }

    abstract int run(Locks locks, Output output);
}
