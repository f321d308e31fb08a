package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.lock.Locks;
import dev.leasehold.server.auth.Permission;
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
final class ReleaseCommand extends LockSubcommand {
    @Parameters(paramLabel = "LOCK_ID", description = LockIdArgument.HELP)
    private String lockId = "";

    @Override
    void check() throws IOException {
        lockId = LockIdArgument.read(lockId);
    }

    @Override
    protected String neededPermission() {
        return LockPermissions.anywhere(Permission.LOCKS_WRITE);
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
