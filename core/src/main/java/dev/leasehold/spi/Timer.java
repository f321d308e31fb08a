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

/** The threads of one engine or client: one that keeps time, and as many as it takes for what users hang on events. */
public final class Timer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Timer.class);

    private final ScheduledThreadPoolExecutor clockwork;
    private final ExecutorService callbacks;

    public Timer(String name) {
        clockwork = new ScheduledThreadPoolExecutor(1, daemon(name + "-timer"));
        clockwork.setRemoveOnCancelPolicy(true);
        clockwork.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        clockwork.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        callbacks = Executors.newCachedThreadPool(daemon(name + "-callback"));
    }

    /** Runs short work of ours after a while; a failure is logged and goes no further. After close it does nothing. */
    public void after(long nanos, Runnable work) {
        var unused = schedule(nanos, work);
    }

    /** The same, for work that may have to be cancelled. */
    public ScheduledFuture<?> schedule(long nanos, Runnable work) {
        return clockwork.schedule(guarded(work), Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Runs short work of ours again and again, so long after the last time ended. It goes on whatever becomes of a turn. */
    public void every(long nanos, Runnable work) {
        var unused = clockwork.scheduleWithFixedDelay(guarded(work), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Runs work of the user's, which may take its time. */
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

    /** Without memory there is nothing to log with either, and the thread goes on all the same. */
    private static void warn(Throwable failure) {
        try {
            log.warn("event=task_failed", failure);
        } catch (Error again) {
            failure.addSuppressed(again);
        }
    }

    /** Daemon threads that say in their name whose they are. */
    public static ThreadFactory daemon(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Ends the clockwork. Callbacks that come later still run: their threads end by themselves. */
    @Override
    public void close() {
        clockwork.shutdownNow();
    }
}
