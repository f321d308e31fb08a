package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.Ttl;
import dev.leasehold.server.auth.Permission;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock extend}. */
@Command(
        name = "extend",
        preprocessor = DashedLockId.class,
        description =
                "Set the expiry of the lock with this lock id to now plus the ttl. Status 75 if it is no longer held.",
        footer = {"", "Example:", "  echo \"$LOCK_ID\" | leasehold lock extend - --ttl 5m", "", ExitStatus.HELP})
final class ExtendCommand extends LockSubcommand {
    @Parameters(paramLabel = "LOCK_ID", description = LockIdArgument.HELP)
    private String lockId = "";

    @Option(
            names = "--ttl",
            required = true,
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long the lock is held from now on.")
    private Duration ttl = Duration.ZERO;

    @Override
    void check() throws IOException {
        Ttl.check(ttl);
        lockId = LockIdArgument.read(lockId);
    }

    @Override
    protected String neededPermission() {
        return LockPermissions.anywhere(Permission.LOCKS_WRITE);
    }

    @Override
    int run(Locks locks, Output output) {
        Optional<Instant> expiresAt = locks.byLockId().extend(lockId, ttl);
        output.answer(
                LockJson.extended(expiresAt),
                () -> output.text(expiresAt
                        .map(moment -> "extended, expires " + Output.momentAndAge(moment))
                        .orElse("not held: nothing to extend")));
        return expiresAt.isPresent() ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }
}
