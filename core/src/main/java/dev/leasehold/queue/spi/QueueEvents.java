package dev.leasehold.queue.spi;

import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListener;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a {@link QueueListener}, if there is one, and keeps its failures away from the operation.
 *
 * <p>{@code startNanos} is {@link System#nanoTime()} of when the operation began.
 */
public final class QueueEvents {
    private static final Logger log = LoggerFactory.getLogger(QueueEvents.class);

    private final @Nullable QueueListener listener;

    /** Events for {@code listener}; none if it is null. */
    public QueueEvents(@Nullable QueueListener listener) {
        this.listener = listener;
    }

    /** Reports a produce when it is done. */
    public <T> CompletableFuture<T> produce(String queue, int items, long startNanos, CompletableFuture<T> call) {
        return whenDone(queue, "produce", startNanos, call, produced -> produced(queue, items, startNanos));
    }

    /** Reports a produce that has succeeded. */
    public void produced(String queue, int items, long startNanos) {
        tell(listener -> listener.onProduced(queue, items, since(startNanos)));
    }

    /** Reports a lease request when it is done. */
    public CompletableFuture<LeasedBatch> lease(String queue, long startNanos, CompletableFuture<LeasedBatch> call) {
        return whenDone(
                queue,
                "lease",
                startNanos,
                call,
                batch -> tell(listener -> listener.onLeased(queue, batch.items().size(), since(startNanos))));
    }

    /** Reports a completion when it is done. */
    public <T> CompletableFuture<T> complete(String queue, int items, long startNanos, CompletableFuture<T> call) {
        return whenDone(queue, "complete", startNanos, call, done -> completed(queue, items, startNanos));
    }

    /** Reports a completion that has succeeded. */
    public void completed(String queue, int items, long startNanos) {
        tell(listener -> listener.onCompleted(queue, items, since(startNanos)));
    }

    /**
     * Reports a retry when it is done.
     *
     * @param items how many go back to their queue, where that is known before; {@link #retried} reports others
     */
    public <T> CompletableFuture<T> retry(String queue, int items, long startNanos, CompletableFuture<T> call) {
        return whenDone(queue, "retry", startNanos, call, done -> retried(queue, items, startNanos));
    }

    /** Reports items that went back to their queue. */
    public void retried(String queue, int items, long startNanos) {
        if (items > 0) {
            tell(listener -> listener.onRetried(queue, items, since(startNanos)));
        }
    }

    /** Reports items that became dead letters. */
    public void deadLettered(String queue, int items) {
        tell(listener -> listener.onDeadLettered(queue, items));
    }

    /** Reports items that were discarded. */
    public void discarded(DiscardedItems discarded) {
        tell(listener -> listener.onDiscarded(discarded));
    }

    /** Reports a handler that has returned, or has thrown {@code failure}. */
    public void handled(String queue, int items, long startNanos, @Nullable Throwable failure) {
        tell(listener -> {
            if (failure == null) {
                listener.onHandled(queue, items, since(startNanos));
            } else {
                listener.onHandlerFailed(queue, items, failure, since(startNanos));
            }
        });
    }

    private <T> CompletableFuture<T> whenDone(
            String queue, String operation, long startNanos, CompletableFuture<T> call, Consumer<T> done) {
        if (listener != null) {
            Futures.whenDone(call, (value, failure) -> {
                if (failure == null) {
                    done.accept(value);
                } else {
                    failed(queue, operation, startNanos, failure);
                }
            });
        }
        return call;
    }

    private void failed(String queue, String operation, long startNanos, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        QueueException why = cause instanceof QueueException known
                ? known
                : new QueueException(QueueErrorCode.INTERNAL, "Unexpected failure: " + cause, cause);
        if (why.code() != QueueErrorCode.ABORTED && !(cause instanceof CancellationException)) {
            tell(listener -> listener.onFailed(queue, operation, why, since(startNanos)));
        }
    }

    private void tell(Consumer<QueueListener> event) {
        if (listener != null) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                log.debug("event=queue_listener_failed", e);
            }
        }
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }
}
