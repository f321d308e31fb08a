package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.spi.QueueRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Creating, changing and deleting queues, with the rules that need to know other queues. */
public final class QueueAdmin {
    private static final int PAGE = 1000;

    private final QueueNode node;

    public QueueAdmin(QueueNode node) {
        this.node = node;
    }

    /** Writes a queue down, if the name is free and its dead queue fits. */
    public CompletableFuture<QueueRecord> create(QueueConfig config) {
        checkPartitions(config);
        List<String> stores = Placement.of(node.named(), config.partitions());
        return node.openRecords()
                .get(config.name())
                .thenCompose(there -> there.isPresent() ? exists(config.name()) : checkDeadQueue(config))
                .thenCompose(checked -> node.openRecords().create(config.stored(), stores))
                .thenCompose(created -> created.isPresent()
                        ? CompletableFuture.completedFuture(learn(created.get()))
                        : checkNotDeadQueue(config)
                                .thenCompose(checked ->
                                        create(config))); // somebody was faster: the check says what they did
    }

    /** Refuses more partitions than this node allows; a queue that has more keeps them. */
    public void checkPartitions(QueueConfig config) {
        node.options().bounds().checkPartitions(config.partitions());
    }

    /** Fails unless the records of queues can be written. Writes nothing. */
    public CompletableFuture<Void> checkWritable() {
        return node.openRecords().checkWritable();
    }

    private static <T> CompletableFuture<T> exists(String name) {
        return CompletableFuture.failedFuture(
                new QueueException(QueueErrorCode.ALREADY_EXISTS, "invalid queue; '" + name + "' already exists"));
    }

    private QueueRecord learn(QueueRecord record) {
        node.directory().learn(record);
        return record;
    }

    private CompletableFuture<Void> checkDeadQueue(QueueConfig config) {
        if (!config.hasDeadQueue()) {
            return CompletableFuture.completedFuture(null);
        }
        return node.openRecords().get(config.deadQueue()).thenAccept(found -> {
            QueueRecord dead = found.orElseThrow(() -> QueueException.invalidArgument(
                    "dead_queue does not exist; '" + config.deadQueue() + "' was not found, create it first"));
            if (!dead.info().config().namespace().equals(config.namespace())) {
                throw QueueException.invalidArgument(
                        "dead_queue does not exist; '" + config.deadQueue() + "' was not found, create it first");
            }
            if (dead.info().config().hasDeadQueue()) {
                throw QueueException.invalidArgument("dead_queue is invalid; '" + config.deadQueue()
                        + "' already has its own dead_queue configured");
            }
        });
    }

    public CompletableFuture<QueueRecord> get(String name) {
        return node.openRecords()
                .get(name)
                .thenApply(found -> learn(found.orElseThrow(() -> {
                    node.directory().forget(name);
                    return QueueException.noSuchQueue(name);
                })));
    }

    public CompletableFuture<List<QueueRecord>> list(QueueListing listing) {
        return node.openRecords().list(listing);
    }

    /** Changes a queue as it is now; if somebody else was faster, what they left. */
    public CompletableFuture<QueueRecord> update(QueueUpdate update) {
        return get(update.name()).thenCompose(current -> {
            QueueConfig merged = update.applyTo(current.info().config());
            if (merged.partitions() > current.info().config().partitions()) {
                checkPartitions(merged);
            }
            List<String> stores = Placement.grown(node.named(), current.stores(), merged.partitions());
            return checkDeadQueue(merged)
                    .thenCompose(checked -> checkNotDeadQueue(merged))
                    .thenCompose(checked -> node.openRecords().update(current, merged, stores))
                    .thenCompose(updated -> orAgain(updated, update));
        });
    }

    private CompletableFuture<QueueRecord> orAgain(Optional<QueueRecord> updated, QueueUpdate update) {
        return updated.isPresent() ? CompletableFuture.completedFuture(learn(updated.get())) : update(update);
    }

    /** A queue that is itself somebody's dead queue cannot have one: dead queues do not chain. */
    private CompletableFuture<Void> checkNotDeadQueue(QueueConfig config) {
        if (!config.hasDeadQueue()) {
            return CompletableFuture.completedFuture(null);
        }
        return whoseDeadQueueIs(config.name(), "")
                .thenAccept(whose -> whose.ifPresent(other -> {
                    throw QueueException.invalidArgument("dead_queue is invalid; '" + config.name()
                            + "' is itself the dead_queue of '" + other + "'");
                }));
    }

    /** Deletes a queue. One that takes the dead letters of another stays: they would have nowhere to go. */
    public CompletableFuture<Void> delete(String name) {
        QueueRules.name(name);
        return get(name)
                .thenCompose(found -> whoseDeadQueueIs(name, ""))
                .thenCompose(whose -> {
                    if (whose.isPresent()) {
                        throw QueueException.invalidArgument("queue is in use; '" + name + "' is the dead_queue of '"
                                + whose.get() + "', change or delete that one first");
                    }
                    return node.openRecords().delete(name);
                })
                .thenCompose(deleted -> {
                    if (!deleted) {
                        return delete(name); // somebody was faster: the checks say what they did
                    }
                    node.directory().forget(name);
                    return CompletableFuture.completedFuture(null);
                });
    }

    private CompletableFuture<Optional<String>> whoseDeadQueueIs(String name, String after) {
        return node.openRecords().all(after, PAGE).thenCompose(page -> {
            Optional<String> whose = page.stream()
                    .filter(record -> record.info().config().deadQueue().equals(name))
                    .map(QueueRecord::name)
                    .findFirst();
            return whose.isPresent() || page.isEmpty()
                    ? CompletableFuture.completedFuture(whose)
                    : whoseDeadQueueIs(name, page.get(page.size() - 1).name());
        });
    }
}
