package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.Await;
import dev.leasehold.spi.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Store calls for users: their futures fail with the lock exception itself, and a cancel reaches the store. */
public final class StoreCalls {
    private StoreCalls() {}

    /** Makes a call and maps its result with {@code view}. Wrong arguments fail the future too: nothing is thrown. */
    public static <T, R> CompletableFuture<R> of(
            Supplier<CompletableFuture<T>> call, Function<? super T, ? extends R> view) {
        CompletableFuture<R> result = new CompletableFuture<>();
        try {
            CompletableFuture<T> asked = call.get();
            Futures.whenDone(result, (value, failure) -> {
                if (result.isCancelled()) {
                    asked.cancel(true);
                }
            });
            Futures.whenDone(asked, (value, failure) -> settle(result, value, failure, view));
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(Await.failure(e));
        }
        return result;
    }

    private static <T, R> void settle(
            CompletableFuture<R> result, T value, @Nullable Throwable failure, Function<? super T, ? extends R> view) {
        try {
            if (failure == null) {
                result.complete(view.apply(value));
            } else {
                result.completeExceptionally(Await.failure(failure));
            }
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(Await.failure(e));
        }
    }
}
