package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.spi.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Creates a queue together with the dead queue that it gets by default. */
public final class DeadQueues {
    private DeadQueues() {}

    /**
     * Creates the dead queue first, if the queue needs one of its own and is not there yet. A dead queue that is there is used. If the
     * queue is refused, the dead queue that was created for it is deleted.
     *
     * @param find reads a queue; fails with {@code NO_SUCH_QUEUE} if there is none
     * @param create creates a queue as it is told; fails with {@code ALREADY_EXISTS} if there is one of that name
     * @param delete deletes a queue
     */
    public static <T> CompletableFuture<T> create(
            QueueConfig config,
            Function<String, CompletableFuture<T>> find,
            Function<QueueConfig, CompletableFuture<T>> create,
            Function<String, CompletableFuture<Void>> delete) {
        if (!config.needsDeadQueue()) {
            return create.apply(config);
        }
        QueueConfig dead = config.ownDeadQueue();
        return orIf(QueueErrorCode.NO_SUCH_QUEUE, find.apply(config.name()).thenApply(there -> true), false)
                .thenCompose(isThere -> isThere
                        ? CompletableFuture.completedFuture(false)
                        : orIf(QueueErrorCode.ALREADY_EXISTS, create.apply(dead).thenApply(made -> true), false))
                .thenCompose(isNew -> {
                    CompletableFuture<T> created = create.apply(config.withOwnDeadQueue());
                    return isNew ? orDelete(created, dead.name(), delete) : created;
                });
    }

    private static <T> CompletableFuture<T> orDelete(
            CompletableFuture<T> created, String dead, Function<String, CompletableFuture<Void>> delete) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.whenDone(created, (queue, failure) -> {
            if (failure == null) {
                result.complete(queue);
            } else if (QueueAwait.failure(failure).code() == QueueErrorCode.INVALID_ARGUMENT) {
                Futures.whenDone(delete.apply(dead), (done, ignored) -> result.completeExceptionally(failure));
            } else {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    /** The result, or {@code otherwise} if it failed with that code. */
    private static CompletableFuture<Boolean> orIf(
            QueueErrorCode code, CompletableFuture<Boolean> call, boolean otherwise) {
        return call.exceptionally(failure -> {
            QueueException known = QueueAwait.failure(failure);
            if (known.code() == code) {
                return otherwise;
            }
            throw known;
        });
    }
}
