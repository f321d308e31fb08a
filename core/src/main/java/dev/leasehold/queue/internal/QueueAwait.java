package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.spi.Futures;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Waiting for a future in a caller's thread, and telling its failure as the caller's own. */
public final class QueueAwait {
    private QueueAwait() {}

    /** Waits; an interrupt cancels the future, stays set, and is told as aborted. */
    public static <T> T on(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            boolean cancelled = future.cancel(true);
            Thread.currentThread().interrupt();
            if (!cancelled && !future.isCompletedExceptionally()) {
                return future.join();
            }
            throw new QueueException(QueueErrorCode.ABORTED, "Operation aborted by an interrupt", e);
        } catch (ExecutionException | CancellationException e) {
            throw failure(e);
        }
    }

    /** Makes a call whose future fails with the queue exception itself, also where the call would throw it. */
    public static <T> CompletableFuture<T> plain(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.whenDone(guarded(call), (value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure(failure));
            }
        });
        return result;
    }

    /** Makes a call; whatever it throws, an Error too, fails its future, so that nobody waits for it in vain. */
    static <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(failure(e));
        }
    }

    /** The failure of a future as an exception to throw: queue exceptions as they are, anything else as internal. */
    public static QueueException failure(Throwable cause) {
        Throwable inner =
                cause instanceof CompletionException || cause instanceof ExecutionException ? cause.getCause() : null;
        Throwable real = inner == null ? cause : inner;
        if (real instanceof QueueException known) {
            return known;
        }
        if (real instanceof CancellationException) {
            return new QueueException(QueueErrorCode.ABORTED, "Operation aborted by its caller", real);
        }
        return new QueueException(QueueErrorCode.INTERNAL, "Unexpected failure: " + real, real);
    }
}
