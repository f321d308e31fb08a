package dev.leasehold.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Counts the threads of one node, whatever others run in the same JVM: it runs work in a thread group, to which all threads
 * belong that the work starts, and all that those start.
 */
public final class OwnThreads {
    /** More than any node needs, and far fewer than one each for a crowd. */
    public static final int FEW = 50;

    private static final int MANY = 10_000;

    private final ThreadGroup group = new ThreadGroup("own-threads");

    /** Runs work in a thread of the group; its own failure if it fails. */
    public <T> T call(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                group,
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "own-threads-work");
        thread.start();
        try {
            T value = TestWaits.get(result);
            thread.join();
            return value;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** How many there are now. */
    public int count() {
        return group.enumerate(new Thread[MANY]);
    }
}
