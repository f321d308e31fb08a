package dev.leasehold.server.queue;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.http.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queue of a request, and checks the permission.
 *
 * <p>A client without any permission in the namespace of a queue does not learn that it exists: a missing queue is refused with the same
 * message.
 */
final class QueueLookup {
    private final Queues queues;

    QueueLookup(Queues queues) {
        this.queues = queues;
    }

    /** The queue of that name, if the caller may do one of these in its namespace. */
    CompletableFuture<ItemQueue> find(Request request, String name, Permission... permissions) {
        ItemQueue queue = queues.queue(name);
        return queue.namespaceAsync().handle((namespace, failure) -> {
            check(request.principal(), namespace, failure, permissions);
            return namespace == null ? queue : queue.within(namespace);
        });
    }

    /** The record of that queue, as it is now. */
    CompletableFuture<QueueInfo> info(Request request, String name, Permission... permissions) {
        return queues.infoAsync(name).handle((info, failure) -> {
            String namespace = info == null ? null : info.config().namespace();
            check(request.principal(), namespace, failure, permissions);
            return info;
        });
    }

    /**
     * Fails, because a queue cannot be created: as one that exists already if the caller may do something in the namespace of the one
     * that has the name, or else with {@code otherwise}. Names are unique across namespaces, but whose they are is not told.
     */
    <T> CompletableFuture<T> taken(Principal principal, String name, QueueException otherwise) {
        return queues.infoAsync(name).handle((found, missing) -> {
            boolean isVisible = found != null
                    && principal.mayAny(
                            found.config().namespace(),
                            Permission.QUEUES_PRODUCE,
                            Permission.QUEUES_CONSUME,
                            Permission.QUEUES_ADMIN);
            throw isVisible
                    ? new QueueException(QueueErrorCode.ALREADY_EXISTS, "invalid queue; '" + name + "' already exists")
                    : otherwise;
        });
    }

    static QueueException notAvailable(String name) {
        return QueueException.invalidArgument("invalid queue; the name '" + name + "' is not available");
    }

    private static void check(
            Principal principal, @Nullable String namespace, @Nullable Throwable failure, Permission... permissions) {
        if (namespace != null) {
            principal.requireAny(namespace, permissions);
            return;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        boolean isMissing = cause instanceof QueueException e && e.code() == QueueErrorCode.NO_SUCH_QUEUE;
        if (isMissing && !principal.mayAny(Grant.ALL, permissions)) {
            throw new ForbiddenException();
        }
        throw new CompletionException(cause);
    }

    /** Does something at a partition. If something is wrong with it, a wrong partition is what the caller is told first. */
    <T> CompletableFuture<T> at(ItemQueue queue, int partition, Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (QueueException wrong) {
            return queues.infoAsync(queue.name()).thenCompose(info -> {
                QueueRules.partition(partition, info.config().partitions());
                return CompletableFuture.failedFuture(wrong);
            });
        }
    }
}
