package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Futures;
import dev.leasehold.cli.command.Output;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import dev.leasehold.server.auth.Permission;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock force-release}. */
@Command(
        name = "force-release",
        description = {
            "Take a lock away from whoever holds it. Over HTTP this needs the permission locks.admin.",
            "The fence, which 'lock list' and 'lock lookup' show, must be the present one: so nobody loses a lock that was"
                    + " granted in between. Status 75 if it is not."
        },
        footer = {
            "",
            "Example:",
            "  leasehold lock force-release ledger:7 --fence 000000000000041 --reason 'host is gone'",
            "",
            ExitStatus.HELP
        })
final class ForceReleaseCommand extends LockSubcommand {
    private static final String DIGITS = "\\d{1,15}";

    @Parameters(paramLabel = "KEY", description = "The text that names the lock.")
    private String key = "";

    @Option(names = "--fence", required = true, paramLabel = "FENCE", description = "The fence of the present grant.")
    private String fence = "";

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it is logged.")
    private String reason = "";

    @Override
    void check() {
        LockKey.of(key);
        if (!fence.matches(DIGITS)) {
            throw CliException.usage("--fence must be a number of at most 15 digits, got '" + fence + "'");
        }
        if (reason.isBlank()) {
            throw CliException.usage("--reason must not be empty");
        }
    }

    @Override
    protected String neededPermission() {
        return LockPermissions.inNamespaceOf(key, Permission.LOCKS_ADMIN);
    }

    @Override
    int run(Locks locks, Output output) {
        Fence present = Fence.of(Long.parseLong(fence));
        boolean released = Futures.await(locks.admin().forceRelease(LockKey.of(key), present, reason));
        output.answer(
                Map.of("released", released),
                () -> output.text(released ? "released" : "not held under this fence: nothing was taken away"));
        return released ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }
}
