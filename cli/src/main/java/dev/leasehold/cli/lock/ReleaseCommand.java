package dev.leasehold.cli.lock;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.lock.Locks;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock release}. */
@Command(
        name = "release",
        preprocessor = DashedLockId.class,
        description = "Release the lock with this lock id. Status 75 if it is no longer held.",
        footer = {"", "Example:", "  echo \"$LOCK_ID\" | leasehold lock release -", "", ExitStatus.HELP})
final class ReleaseCommand extends LockVerb {
    @Parameters(paramLabel = "LOCK_ID", description = LockIdArgument.HELP)
    private String lockId = "";

    @Override
    void check() throws IOException {
        lockId = LockIdArgument.read(lockId);
    }

    @Override
    int run(Locks locks, Output output) {
        boolean released = locks.byLockId().release(lockId);
        output.answer(
                Map.of("released", released),
                () -> output.text(released ? "released" : "not held: nothing to release"));
        return released ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }
}
