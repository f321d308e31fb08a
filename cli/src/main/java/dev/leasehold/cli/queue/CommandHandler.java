package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.process.ProcessTree;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.Work;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.spi.GoDuration;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a command for each item: its exit status decides what becomes of the item. */
final class CommandHandler implements Handler<LeasedItem> {
    private static final RetryRules BACKOFF = RetryRules.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5));

    /** How often a running command is checked for a lost lease. */
    private static final long LOOK_MILLIS = 100;

    private final String queue;
    private final List<String> command;
    private final int most;
    private final Duration grace;
    private final java.util.function.Consumer<String> notes;
    private final CompletableFuture<Consumer> consumer = new CompletableFuture<>();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger completed = new AtomicInteger();
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private volatile int cannotStart;

    /** @param most how many items it takes before it stops its consumer */
    CommandHandler(
            String queue, List<String> command, int most, Duration grace, java.util.function.Consumer<String> notes) {
        this.queue = queue;
        this.command = List.copyOf(command);
        this.most = most;
        this.grace = grace;
        this.notes = notes;
    }

    /** Tells it which consumer calls it. */
    void start(Consumer own) {
        consumer.complete(own);
    }

    /** Stops its consumer, and after a while the commands that still run then. Does not wait. */
    void stop(Duration timeout) {
        Thread closing = daemon(() -> consumer.join().close());
        daemon(() -> {
            try {
                closing.join(timeout.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            closing.interrupt(); // which has the consumer interrupt its handlers
        });
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "leasehold-consume");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Waits for commands that a consumer which gave up has left behind: they are being stopped. */
    void awaitProcesses() {
        running.forEach(process -> process.onExit().join());
    }

    /** The exit status of the whole. */
    int status(boolean isSignalled) {
        if (cannotStart != 0) {
            return cannotStart;
        }
        if (!isSignalled && started.get() < most) {
            notes.accept("leasehold: queue '" + queue + "' cannot be consumed any more: was it deleted?");
        }
        return isSignalled || completed.get() == most ? ExitStatus.OK : ExitStatus.FAILURE;
    }

    @Override
    public void handle(Work<LeasedItem> work) throws InterruptedException {
        int number = started.incrementAndGet();
        if (number >= most) {
            consumer.join().close(); // called from a handler it does not wait: nothing more begins
        }
        if (number > most || cannotStart != 0) {
            throw new InterruptedException("the consumer is stopping");
        }
        Process process = start(work);
        running.add(process);
        try {
            finish(work, await(work, process));
        } catch (InterruptedException e) {
            ProcessTree.of(process).stop(grace);
            notes.accept("leasehold: the command for item " + work.item().id() + " was stopped; the item is retried");
            throw e;
        } finally {
            running.remove(process);
        }
    }

    private Process start(Work<LeasedItem> work) throws InterruptedException {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            LeasedItem item = work.item();
            builder.environment()
                    .putAll(Map.of(
                            "LEASEHOLD_QUEUE", queue,
                            "LEASEHOLD_ITEM_ID", item.id().value(),
                            "LEASEHOLD_ATTEMPTS", Integer.toString(item.attempts()),
                            "LEASEHOLD_KIND", item.kind(),
                            "LEASEHOLD_REFERENCE", item.reference(),
                            "LEASEHOLD_ENCODING", item.encoding()));
            Process process = builder.start();
            write(item.payload(), process);
            return process;
        } catch (IOException e) {
            notes.accept("leasehold: the command could not be started: " + e.getMessage());
            cannotStart = ExitStatus.ofUnstarted(e);
            consumer.join().close();
            throw (InterruptedException) new InterruptedException("the consumer is stopping").initCause(e);
        }
    }

    /** In a thread of its own: a command that does not read would block the pipe. One that ends without reading is no failure. */
    private static void write(byte[] payload, Process process) {
        daemon(() -> {
            try (OutputStream in = process.getOutputStream()) {
                in.write(payload);
            } catch (IOException e) {
                // the command has ended or closed its standard input
            }
        });
    }

    private int await(Work<LeasedItem> work, Process process) throws InterruptedException {
        boolean isLost = false;
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!isLost && work.isLost()) {
                isLost = true;
                notes.accept("leasehold: the lease of item " + work.item().id() + " was lost, stopping its command");
                ProcessTree.of(process).stop(grace);
            }
        }
        return process.exitValue();
    }

    private void finish(Work<LeasedItem> work, int status) {
        if (work.isLost()) {
            return;
        }
        if (status == ExitStatus.OK) {
            completed.incrementAndGet();
            return;
        }
        Duration delay = BACKOFF.delay(work.attempts(), new IllegalStateException("status " + status))
                .orElse(Duration.ZERO);
        work.retryAfter(delay);
        notes.accept("leasehold: the command ended with status " + status + " for item "
                + work.item().id() + ", attempt " + work.attempts() + "; the item is retried in "
                + GoDuration.format(delay.truncatedTo(ChronoUnit.MILLIS)));
    }
}
