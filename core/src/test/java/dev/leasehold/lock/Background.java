package dev.leasehold.lock;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work in a thread of its own, of which a test can see that it waits, and wait for its end. */
public final class Background<T> {
    private static final long PATIENCE_SECONDS = 3;

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "background");
        thread.setDaemon(true);
        thread.start();
    }

    public static <T> Background<T> call(Callable<T> work) {
        return new Background<>(work);
    }

    public static Background<Boolean> run(Runnable work) {
        return call(() -> {
            work.run();
            return true;
        });
    }

    /** Returns what the work returned or throws what it threw; an AssertionError if it does not end. */
    public T result() {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("the work failed", e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("the work does not end; it stands at " + where(), e);
        }
    }

    private String where() {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length == 0 ? "nowhere" : String.valueOf(stack[Math.min(stack.length - 1, 8)]);
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Returns once the thread waits for a monitor or has ended, or after a second. */
    public void awaitMonitor() {
        long end = System.nanoTime() + 1_000_000_000L;
        while (thread.getState() != Thread.State.BLOCKED && !task.isDone() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** Returns once the thread is parked. */
    public Background<T> awaitParked() {
        await().until(() ->
                thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }
}
