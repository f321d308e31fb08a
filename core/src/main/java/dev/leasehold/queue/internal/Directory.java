package dev.leasehold.queue.internal;

import dev.leasehold.queue.LeasedBatch;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueGauge;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.spi.ItemStore.Hears;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this node knows, each as its record was when last read.
 *
 * <p>A record may be old. That does no harm: a store does nothing for a caller who knows an old version, and says so; then the
 * record is read again and the call repeated. So a change is acted on by every node from when it is committed.
 */
public final class Directory implements Hears {
    private static final int MOST_REPEATS = 10;

    private final QueueNode node;
    private final Map<String, LiveQueue> known = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<LiveQueue>> asked = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Directory(QueueNode node) {
        this.node = node;
    }

    Collection<LiveQueue> all() {
        return known.values();
    }

    /** How the queues that this node knows stand, without asking anybody. */
    public List<QueueGauge> gauges() {
        return known.values().stream().map(LiveQueue::gauge).toList();
    }

    /** The queue of that name; fails if there is none. */
    public CompletableFuture<LiveQueue> get(String name) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new QueueException(QueueErrorCode.SHUTTING_DOWN, "service is shutting down"));
        }
        LiveQueue live = known.get(name);
        if (live != null) {
            return CompletableFuture.completedFuture(live);
        }
        try {
            QueueRules.lookup(name);
        } catch (QueueException e) {
            return CompletableFuture.failedFuture(e);
        }
        return read(name);
    }

    /** Reads the record of a queue, once for all who ask at the same time. */
    CompletableFuture<LiveQueue> read(String name) {
        CompletableFuture<LiveQueue> mine = new CompletableFuture<>();
        CompletableFuture<LiveQueue> running = asked.putIfAbsent(name, mine);
        if (running != null) {
            return running.copy();
        }
        Futures.whenDone(node.pending().track(node.records().get(name)), (record, failure) -> {
            asked.remove(name, mine);
            if (failure != null) {
                mine.completeExceptionally(QueueAwait.failure(failure));
            } else {
                settle(name, record, mine);
            }
        });
        return mine.copy();
    }

    private void settle(String name, Optional<QueueRecord> record, CompletableFuture<LiveQueue> mine) {
        try {
            if (record.isEmpty()) {
                forget(name);
                mine.completeExceptionally(QueueException.noSuchQueue(name));
            } else {
                mine.complete(learn(record.get()));
            }
        } catch (RuntimeException e) {
            mine.completeExceptionally(QueueAwait.failure(e));
        }
    }

    /** Takes note of a record. A queue of the same name that is another one now is over. */
    public LiveQueue learn(QueueRecord record) {
        LiveQueue live = known.compute(record.name(), (name, current) -> {
            if (current != null && current.record().uid() == record.uid()) {
                return current;
            }
            if (current != null) {
                node.timer().callback(current::close);
            }
            return new LiveQueue(node, record);
        });
        live.learn(record);
        if (closed) {
            live.close();
        }
        return live;
    }

    /** There is no such queue any more: whoever waits at it is told. */
    public void forget(String name) {
        LiveQueue gone = known.remove(name);
        if (gone != null) {
            gone.close();
        }
    }

    @Override
    public void missed() {
        known.values().stream()
                .filter(live -> live.desk().hasWaiters())
                .forEach(live -> live.look().now());
    }

    @Override
    public void ready(long uid, int partition) {
        for (LiveQueue live : known.values()) {
            if (live.record().uid() == uid) {
                live.hint(partition);
            }
        }
    }

    /** Runs a call on a queue, and again with the queue as it is now whenever it has changed. */
    public <T> CompletableFuture<T> call(String name, Function<LiveQueue, CompletableFuture<T>> attempt) {
        return call(name, attempt, (live, value) -> {});
    }

    /** The same, for calls that lease: what was leased for a caller who has gone just now goes back. */
    public CompletableFuture<LeasedBatch> lease(
            String name, Function<LiveQueue, CompletableFuture<LeasedBatch>> attempt) {
        return call(name, attempt, (live, batch) -> live.rounds().giveBack(batch));
    }

    /** @param unwanted gets what came of the call if its caller has gone just now */
    private <T> CompletableFuture<T> call(
            String name, Function<LiveQueue, CompletableFuture<T>> attempt, BiConsumer<LiveQueue, ? super T> unwanted) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(new Work<>(name, attempt, unwanted, result), 0);
        return result;
    }

    private record Work<T>(
            String name,
            Function<LiveQueue, CompletableFuture<T>> attempt,
            BiConsumer<LiveQueue, ? super T> unwanted,
            CompletableFuture<T> result) {}

    private <T> void attempt(Work<T> work, int repeats) {
        Futures.whenDone(get(work.name), (live, failure) -> {
            if (failure != null) {
                work.result.completeExceptionally(QueueAwait.failure(failure));
            } else if (!work.result.isDone()) {
                run(live, work, repeats);
            }
        });
    }

    private <T> void run(LiveQueue live, Work<T> work, int repeats) {
        CompletableFuture<T> call = guarded(live, work.attempt);
        Futures.whenDone(work.result, (value, failure) -> {
            if (failure != null) {
                call.cancel(false);
            }
        });
        Futures.whenDone(call, (value, failure) -> {
            QueueException known = failure == null ? null : QueueAwait.failure(failure);
            if (known == null) {
                if (!work.result.complete(value)) {
                    work.unwanted.accept(live, value);
                }
            } else if (known instanceof StaleQueueException stale && repeats < MOST_REPEATS) {
                repeat(stale, work, repeats + 1);
            } else {
                work.result.completeExceptionally(known);
            }
        });
    }

    private <T> void repeat(StaleQueueException stale, Work<T> work, int repeats) {
        Futures.whenDone(refresh(stale.partition()), (current, trouble) -> {
            if (trouble == null) {
                attempt(work, repeats);
            } else {
                work.result.completeExceptionally(QueueAwait.failure(trouble));
            }
        });
    }

    private static <T> CompletableFuture<T> guarded(LiveQueue live, Function<LiveQueue, CompletableFuture<T>> attempt) {
        try {
            return attempt.apply(live);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(QueueAwait.failure(e));
        }
    }

    /** Reads the record again after a store said that it is old; if it is not, the store's copy is. */
    public CompletableFuture<LiveQueue> refresh(PartitionRef stale) {
        return read(stale.queue().name()).thenCompose(live -> {
            QueueRecord current = live.record();
            boolean storeIsOld = current.uid() == stale.queue().uid()
                    && current.version() == stale.queue().version()
                    && stale.number() < current.stores().size();
            return storeIsOld
                    ? node.records().refresh(current, stale.store()).thenApply(done -> live)
                    : CompletableFuture.completedFuture(live);
        });
    }

    /** The partition that takes the dead letters of another: of its dead queue, in the same store. Null if it has none. */
    CompletableFuture<@Nullable PartitionRef> deadFor(PartitionRef partition) {
        String dead = partition.queue().info().config().deadQueue();
        if (dead.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return get(dead).thenCompose(live -> deadIn(live, partition.store()));
    }

    /** Dead letters stay in the store where they are; a dead queue that has no partition there gets one. */
    private CompletableFuture<@Nullable PartitionRef> deadIn(LiveQueue live, String store) {
        QueueRecord record = live.record();
        int number = record.stores().indexOf(store);
        if (number >= 0) {
            return CompletableFuture.completedFuture(record.partition(number));
        }
        List<String> stores = new ArrayList<>(record.stores());
        stores.add(store);
        return node.records()
                .update(record, record.info().config(), stores)
                .thenCompose(updated -> updated.isPresent()
                        ? CompletableFuture.completedFuture(learn(updated.get()))
                        : read(record.name()))
                .thenCompose(current -> deadIn(current, store));
    }

    void close() {
        closed = true;
        known.values().forEach(LiveQueue::close);
    }
}
