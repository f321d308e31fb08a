package dev.leasehold.cli.process;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A process with all that it has started so far: if only a shell was stopped, the work would go on without it. */
public final class ProcessTree {
    private final List<ProcessHandle> processes;

    private ProcessTree(List<ProcessHandle> processes) {
        this.processes = processes;
    }

    public static ProcessTree of(Process root) {
        return new ProcessTree(
                Stream.concat(Stream.of(root.toHandle()), root.descendants()).toList());
    }

    /** Asks all to end, and ends those that have not after {@code grace}. */
    public void stop(Duration grace) {
        processes.forEach(ProcessHandle::destroy);
        if (!haveEndedWithin(grace)) {
            Stream.concat(processes.stream(), processes.stream().flatMap(ProcessHandle::descendants))
                    .filter(ProcessHandle::isAlive)
                    .toList()
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }

    private boolean haveEndedWithin(Duration grace) {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(grace.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
