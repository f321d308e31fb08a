package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.process.ProcessTree;
import dev.leasehold.cli.process.SignalSender;
import dev.leasehold.cli.process.Signals;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs under a lock:
 *
 * <ol>
 *   <li>start it, with the proof of the lock in its environment;
 *   <li>pass on the signals that ask us to end;
 *   <li>if the lock is lost, stop it;
 *   <li>when it has ended, give the lock back and end as it did.
 * </ol>
 */
final class LockedCommand {
    private final HeldLock lock;
    private final Duration grace;
    private final Consumer<String> notes;
    private volatile @Nullable CompletableFuture<Void> stopped;

    LockedCommand(HeldLock lock, Duration grace, Consumer<String> notes) {
        this.lock = lock;
        this.grace = grace;
        this.notes = notes;
    }

    /** Runs it and returns the status to end with. The lock is given back whatever happens. */
    int run(List<String> command, Signals signals) {
        try (lock) {
            Process process = start(command);
            signals.subscribeAndReplay(signal -> SignalSender.send(signal, process));
            lock.onLost(() -> stop(process));
            int status = ended(process);
            return isLost() || !isGivenBack() ? lost() : status;
        } catch (IOException e) {
            notes.accept("leasehold: the command could not be started: " + e.getMessage());
            return ExitStatus.ofUnstarted(e);
        }
    }

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("LEASEHOLD_KEY", lock.key().value());
        builder.environment().put("LEASEHOLD_FENCE", lock.fence().toString());
        builder.environment().put("LEASEHOLD_LOCK_ID", lock.lockId().value());
        return builder.start();
    }

    private void stop(Process process) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        stopped = done;
        notes.accept("leasehold: the lock '" + lock.key().value() + "' was lost, stopping the command");
        ProcessTree.of(process).stop(grace);
        done.complete(null);
    }

    private static int ended(Process process) {
        return process.onExit().thenApply(Process::exitValue).join();
    }

    /** Whether the lock was lost under the command; if so, what it started has been stopped when this returns. */
    private boolean isLost() {
        CompletableFuture<Void> stopping = stopped;
        if (stopping != null) {
            stopping.join();
        }
        return stopping != null || !lock.isHeld();
    }

    /** False if somebody else had taken it, unnoticed so far. A store that is away is no reason to fail: the lock expires. */
    private boolean isGivenBack() {
        try {
            return lock.release();
        } catch (LockException e) {
            notes.accept("leasehold: the command has ended, but the lock could not be released and ends at its expiry: "
                    + e.getMessage());
            return true;
        }
    }

    private int lost() {
        notes.accept("leasehold: the lock '" + lock.key().value()
                + "' was lost before the command had ended: others may have had it at the same time");
        return ExitStatus.LOST;
    }
}
