package dev.leasehold.spi;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one engine or client: one timer thread, and a cached pool for callbacks of users. */
public final class Timer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Timer.class);

    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService callbacks;

    /** A timer whose threads carry {@code name}. */
    public Timer(String name) {
        timer = new ScheduledThreadPoolExecutor(1, daemon(name + "-timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        callbacks = Executors.newCachedThreadPool(daemon(name + "-callback"));
    }

    /** Runs short internal work after a delay; a failure is logged. After close it does nothing. */
    public void after(long nanos, Runnable work) {
        var unused = schedule(nanos, work);
    }

    /** The same, for work that may have to be cancelled. */
    public ScheduledFuture<?> schedule(long nanos, Runnable work) {
        return timer.schedule(guarded(work), Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Runs short internal work with a fixed delay. A failure does not end it. */
    public void every(long nanos, Runnable work) {
        var unused = timer.scheduleWithFixedDelay(guarded(work), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Runs a callback of the user, which may be slow. */
    public void callback(Runnable work) {
        callbacks.execute(guarded(work));
    }

    private static Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                warn(e);
            }
        };
    }

    /** Without memory logging fails too, and the thread must go on. */
    private static void warn(Throwable failure) {
        try {
            log.warn("event=task_failed", failure);
        } catch (Error again) {
            failure.addSuppressed(again);
        }
    }

    /** Daemon threads with this name and a number. */
    public static ThreadFactory daemon(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Ends the timer thread. Callbacks that come later still run: their threads end by themselves. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
