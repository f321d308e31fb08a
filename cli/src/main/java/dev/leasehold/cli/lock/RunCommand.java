package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CliCommand;
import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Target;
import dev.leasehold.cli.process.Signals;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.Locks;
import dev.leasehold.server.auth.Permission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock run}: holds a lock for as long as a command runs. */
@Command(
        name = "run",
        showEndOfOptionsDelimiterInUsageHelp = true,
        description = {
            "Run a command while holding a lock. The lock is renewed until the command has ended, and then released.",
            "The command finds LEASEHOLD_KEY, LEASEHOLD_FENCE and LEASEHOLD_LOCK_ID in its environment. SIGTERM, SIGINT and"
                    + " SIGHUP are passed on to it. If the lock is lost, the command and what it started are stopped:"
                    + " SIGTERM first, SIGKILL after the grace."
        },
        footer = {
            "",
            "Example:",
            "  leasehold lock run nightly-report --ttl 30s --wait 1m -- ./report.sh --all",
            "",
            "Exit status: the command's (128 + n if signal n ended it); 75 if the lock was not granted, 76 if it was lost,",
            "126 or 127 if the command could not be started, 1 if a store failed, 2 for wrong usage."
        })
final class RunCommand extends CliCommand {
    @Mixin
    private final Target target = new Target();

    @Parameters(index = "0", paramLabel = "KEY", description = "The text that names the lock.")
    private String key = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "After '--': what to run.")
    private List<String> command = List.of();

    @Mixin
    private final AcquireOptions options = new AcquireOptions();

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "How long the command may take to end when the lock is lost (default: ${DEFAULT-VALUE}).")
    private Duration grace = Duration.ZERO;

    @Override
    protected int run() {
        CancelSignal stop = new CancelSignal();
        options.check();
        AcquireRequest request = options.request(key, target).signal(stop);
        try (Signals signals = Signals.catching();
                Locks locks = target.locks()) {
            signals.subscribe(signal -> stop.cancel());
            Optional<? extends HeldLock> lock = acquire(locks, request, signals);
            if (lock.isEmpty() || signals.first().isPresent()) {
                lock.ifPresent(HeldLock::close);
                return notGranted(signals);
            }
            return new LockedCommand(lock.get(), grace, this::note).run(command, signals);
        }
    }

    @Override
    protected String neededPermission() {
        return LockPermissions.inNamespaceOf(key, Permission.LOCKS_WRITE);
    }

    /** Empty also if a signal ended the waiting. */
    private static Optional<? extends HeldLock> acquire(Locks locks, AcquireRequest request, Signals signals) {
        try {
            return locks.tryAcquire(request);
        } catch (LockException e) {
            if (e.code() == LockErrorCode.ABORTED && signals.first().isPresent()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private int notGranted(Signals signals) {
        Optional<Signals.Kind> signal = signals.first();
        note("leasehold: the lock '" + key + "' was not granted, and nothing was run: "
                + (signal.isPresent() ? "stopped by SIG" + signal.get() : "others hold it"));
        return signal.map(kind -> ExitStatus.SIGNAL + kind.number()).orElse(ExitStatus.NOT_NOW);
    }
}
