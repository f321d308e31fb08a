package dev.leasehold.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Helpers for futures: callbacks whose failure is logged instead of lost, and failures without their wrapper. */
public final class Futures {
    private static final Logger log = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /**
     * Runs a callback when a future is done, with its value or its failure. If the callback throws, that is logged: it fails only
     * the future that {@code whenComplete} returns, which is dropped.
     */
    @SuppressWarnings(
            "FutureReturnValueIgnored") // the failure of the callback is caught; that of the future is its argument
    public static <T> void whenDone(CompletableFuture<T> future, BiConsumer<? super T, ? super Throwable> callback) {
        future.whenComplete((value, failure) -> {
            try {
                callback.accept(value, failure);
            } catch (RuntimeException | Error e) {
                log.error("event=callback_failed", e);
            }
        });
    }

    /** Logs at debug level the failure of a call whose result is not used. */
    public static void logFailure(CompletableFuture<?> call, Logger log, String event) {
        whenDone(call, (value, failure) -> {
            if (failure != null) {
                log.debug("event={}", event, failure);
            }
        });
    }

    /** The same future, but failing with the exception itself where the other fails with a {@link CompletionException} around it. */
    public static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> future) {
        CompletableFuture<T> result = new CompletableFuture<>();
        whenDone(future, (value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                boolean isWrapped = failure instanceof CompletionException && failure.getCause() != null;
                result.completeExceptionally(isWrapped ? failure.getCause() : failure);
            }
        });
        return result;
    }
}
