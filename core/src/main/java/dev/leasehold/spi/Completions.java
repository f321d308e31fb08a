package dev.leasehold.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Completes futures on an executor that the user gave. */
public final class Completions {
    private Completions() {}

    /**
     * The outcome of {@code call} in a future that completes on {@code executor}; {@code call} itself if that is null. Cancelling the
     * future cancels the call.
     *
     * @param unclaimed takes back a result that came although the future was cancelled
     */
    public static <T> CompletableFuture<T> on(
            @Nullable Executor executor, CompletableFuture<T> call, Consumer<? super T> unclaimed) {
        if (executor == null) {
            return call;
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.whenDone(result, (value, failure) -> {
            if (result.isCancelled()) {
                call.cancel(true);
            }
        });
        Futures.whenDone(
                call, (value, failure) -> execute(executor, () -> complete(result, value, failure, unclaimed)));
        return result;
    }

    private static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    private static <T> void complete(
            CompletableFuture<T> result, T value, @Nullable Throwable failure, Consumer<? super T> unclaimed) {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (!result.complete(value)) {
            unclaimed.accept(value);
        }
    }
}
