package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a consumer: one thread that owns its state.
 *
 * <p>Handlers and the store's threads only submit tasks, so nobody waits for anybody, and the state needs no locks.
 */
final class ConsumerLoop implements AutoCloseable {
    private final Timer timer;
    private final Runnable afterwards;
    private volatile @Nullable Thread thread;

    /** {@code afterwards} runs after every piece of news. */
    ConsumerLoop(String name, Runnable afterwards) {
        this.timer = new Timer(name);
        this.afterwards = afterwards;
        timer.after(0, () -> thread = Thread.currentThread());
    }

    /** Hands news over. After close they are thrown away. */
    void run(Runnable news) {
        after(0, news);
    }

    void after(long nanos, Runnable news) {
        timer.after(nanos, () -> work(news));
    }

    /** The same, for news that may have to be cancelled. */
    Future<?> schedule(long nanos, Runnable news) {
        return timer.schedule(nanos, () -> work(news));
    }

    private void work(Runnable news) {
        try {
            news.run();
        } finally {
            afterwards.run();
        }
    }

    /** Makes a call and has its answer brought to the loop, however it fails. */
    <T> void call(Supplier<CompletableFuture<T>> call, Answer<T> answer) {
        var unused = cancellableCall(call, answer);
    }

    /** The same; the future is for cancelling the call. */
    <T> CompletableFuture<T> cancellableCall(Supplier<CompletableFuture<T>> call, Answer<T> answer) {
        CompletableFuture<T> future = begin(call);
        Futures.whenDone(
                future,
                (result, failure) -> run(() -> {
                    QueueException why = failure == null ? null : QueueAwait.failure(failure);
                    answer.came(result, why);
                }));
        return future;
    }

    /** An error counts as an answer too: items whose call was never answered would be held for ever. */
    private static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Whether the caller is the loop, which must not wait for itself. */
    boolean isHere() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        timer.close();
    }

    /** What came back from a call: a result, or why there is none. */
    @FunctionalInterface
    interface Answer<T> {
        void came(@Nullable T result, @Nullable QueueException why);
    }
}
