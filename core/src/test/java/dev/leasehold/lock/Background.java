package dev.leasehold.lock;

import static dev.leasehold.TestWaits.LIMIT;
import static dev.leasehold.TestWaits.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work in a thread of its own, of which a test can see that it waits, and wait for its end. */
public final class Background<T> {
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
            return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
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

    /** Returns once the thread waits for a monitor or has ended. */
    public void awaitMonitor() {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (thread.getState() != Thread.State.BLOCKED && !task.isDone() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** Returns once the thread is parked, and not only for a moment. */
    public Background<T> awaitParked() {
        await().during(Duration.ofMillis(20))
                .until(() ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }
}
