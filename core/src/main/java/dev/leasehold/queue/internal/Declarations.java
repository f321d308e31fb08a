package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueUpdate;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Creates a queue, or changes it to what is wanted: on any engine, by any number of nodes at once. */
public final class Declarations {
    private static final int MOST_ROUNDS = 5;

    private Declarations() {}

    /** The queue as it is afterwards. */
    public static CompletableFuture<QueueInfo> declare(Queues queues, QueueConfig config) {
        return declare(queues, config, 1);
    }

    /** Another node may create or delete the queue between two calls: then it is looked for again. */
    private static CompletableFuture<QueueInfo> declare(Queues queues, QueueConfig config, int round) {
        Supplier<CompletableFuture<QueueInfo>> again = () -> declare(queues, config, round + 1);
        return onFailure(
                queues.infoAsync(config.name()).thenCompose(found -> change(queues, found.config(), config, found)),
                QueueErrorCode.NO_SUCH_QUEUE,
                () -> round >= MOST_ROUNDS
                        ? queues.createAsync(config)
                        : onFailure(queues.createAsync(config), QueueErrorCode.ALREADY_EXISTS, again));
    }

    private static CompletableFuture<QueueInfo> change(
            Queues queues, QueueConfig current, QueueConfig wanted, QueueInfo found) {
        if (!current.namespace().equals(wanted.namespace())) {
            throw QueueException.invalidArgument("queue '" + wanted.name() + "' is in namespace '" + current.namespace()
                    + "', and the namespace of a queue cannot be changed; it was declared in '" + wanted.namespace()
                    + "'");
        }
        QueueConfig stored = wanted.withOwnDeadQueue().stored();
        if (current.equals(stored)) {
            return CompletableFuture.completedFuture(found);
        }
        return ownDeadQueue(queues, wanted).thenCompose(done -> queues.updateAsync(QueueUpdate.to(stored)));
    }

    private static CompletableFuture<?> ownDeadQueue(Queues queues, QueueConfig wanted) {
        return wanted.needsDeadQueue()
                ? onFailure(
                        queues.createAsync(wanted.ownDeadQueue()),
                        QueueErrorCode.ALREADY_EXISTS,
                        () -> queues.infoAsync(wanted.ownDeadQueue().name()))
                : CompletableFuture.completedFuture(null);
    }

    /** The result of {@code call}, or of {@code otherwise} if it failed with that code. */
    private static <T> CompletableFuture<T> onFailure(
            CompletableFuture<T> call, QueueErrorCode code, Supplier<CompletableFuture<T>> otherwise) {
        return call.exceptionallyCompose(failure -> {
            QueueException known = QueueAwait.failure(failure);
            return known.code() == code ? otherwise.get() : CompletableFuture.failedFuture(known);
        });
    }
}
