package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.admin.QueueGauge;
import dev.leasehold.queue.spi.ItemStore.ReadyListener;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this node knows, each as its record was when last read.
 *
 * <p>A record may be old. That does no harm: a store does nothing for a caller who knows an old version, and says so; then the
 * record is read again and the call repeated. So a change is acted on by every node from when it is committed.
 */
public final class Directory implements ReadyListener {
    private static final int MOST_REPEATS = 10;

    private final QueueNode node;
    private final Map<String, LocalQueue> known = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<LocalQueue>> asked = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Directory(QueueNode node) {
        this.node = node;
    }

    Collection<LocalQueue> all() {
        return known.values();
    }

    /** Whether this is still the queue of its name. */
    boolean isServed(LocalQueue queue) {
        return known.get(queue.name()) == queue;
    }

    /** How the queues that this node knows stand, without asking anybody. */
    public List<QueueGauge> gauges() {
        return known.values().stream().map(LocalQueue::gauge).toList();
    }

    /** The queue of that name; fails if there is none. */
    public CompletableFuture<LocalQueue> get(String name) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new QueueException(QueueErrorCode.SHUTTING_DOWN, "service is shutting down"));
        }
        LocalQueue live = known.get(name);
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
    CompletableFuture<LocalQueue> read(String name) {
        CompletableFuture<LocalQueue> mine = new CompletableFuture<>();
        CompletableFuture<LocalQueue> running = asked.putIfAbsent(name, mine);
        if (running != null) {
            return running.copy();
        }
        CompletableFuture<Optional<QueueRecord>> reading =
                QueueAwait.guarded(() -> node.records().get(name));
        Futures.whenDone(node.pending().track(reading), (record, failure) -> {
            asked.remove(name, mine);
            if (failure != null) {
                mine.completeExceptionally(QueueAwait.failure(failure));
            } else {
                settle(name, record, mine);
            }
        });
        return mine.copy();
    }

    private void settle(String name, Optional<QueueRecord> record, CompletableFuture<LocalQueue> mine) {
        try {
            if (record.isEmpty()) {
                forget(name);
                mine.completeExceptionally(QueueException.noSuchQueue(name));
            } else {
                mine.complete(learn(record.get()));
            }
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(QueueAwait.failure(e));
        }
    }

    /** Takes note of a record. A queue of the same name that is another one now is over. */
    public LocalQueue learn(QueueRecord record) {
        LocalQueue live = known.compute(record.name(), (name, current) -> {
            if (current != null && current.record().uid() == record.uid()) {
                return current;
            }
            if (current != null) {
                node.timer().callback(() -> end(current));
            }
            return new LocalQueue(node, record);
        });
        live.learn(record);
        if (closed) {
            live.close();
        }
        return live;
    }

    /** There is no such queue any more: whoever waits at it is told. */
    public void forget(String name) {
        LocalQueue gone = known.remove(name);
        if (gone != null) {
            end(gone);
        }
    }

    private void end(LocalQueue gone) {
        gone.close();
        node.forget(gone.record());
    }

    @Override
    public void onMissed() {
        known.values().stream().filter(live -> live.hasConsumers()).forEach(live -> live.look());
    }

    @Override
    public void onLateResult(PartitionRef partition, @Nullable PartitionRef dead, Swept done) {
        node.discards().add(partition.queue().name(), done.discarded());
        LocalQueue live = known.get(partition.queue().name());
        if (live != null && live.record().uid() == partition.queue().uid()) {
            live.changed(partition, done.ready(), done.nextDue(), dead, done.dead());
        }
    }

    @Override
    public void onReady(long uid, int partition) {
        for (LocalQueue live : known.values()) {
            if (live.record().uid() == uid) {
                live.hint(partition);
            }
        }
    }

    /** Runs a call on a queue, and again with the queue as it is now whenever it has changed. */
    public <T> CompletableFuture<T> call(String name, Function<LocalQueue, CompletableFuture<T>> attempt) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(new Work<>(name, attempt, result), 0);
        return result;
    }

    private record Work<T>(
            String name, Function<LocalQueue, CompletableFuture<T>> attempt, CompletableFuture<T> result) {}

    private <T> void attempt(Work<T> work, int repeats) {
        Futures.whenDone(get(work.name), (live, failure) -> {
            if (failure != null) {
                work.result.completeExceptionally(QueueAwait.failure(failure));
            } else if (!work.result.isDone()) {
                run(live, work, repeats);
            }
        });
    }

    private <T> void run(LocalQueue live, Work<T> work, int repeats) {
        CompletableFuture<T> call = QueueAwait.guarded(() -> work.attempt.apply(live));
        Futures.whenDone(work.result, (value, failure) -> {
            if (failure != null) {
                call.cancel(false);
            }
        });
        Futures.whenDone(call, (value, failure) -> {
            QueueException known = failure == null ? null : QueueAwait.failure(failure);
            if (known == null) {
                work.result.complete(value);
            } else if (known instanceof StaleQueueException stale && repeats < MOST_REPEATS) {
                repeat(stale, work, repeats + 1);
            } else {
                work.result.completeExceptionally(known);
            }
        });
    }

    private <T> void repeat(StaleQueueException stale, Work<T> work, int repeats) {
        Futures.whenDone(refresh(stale.partition()), (current, trouble) -> {
            QueueException failure = trouble == null ? null : QueueAwait.failure(trouble);
            boolean isDeadQueueGone = failure != null
                    && failure.code() == QueueErrorCode.NO_SUCH_QUEUE
                    && !stale.partition().queue().name().equals(work.name);
            if (failure == null || isDeadQueueGone) {
                attempt(work, repeats);
            } else {
                work.result.completeExceptionally(failure);
            }
        });
    }

    /** Reads the record again after a store said that it is old; if it is not, what the store has is, and is brought up to date. */
    public CompletableFuture<LocalQueue> refresh(PartitionRef stale) {
        return read(stale.queue().name()).thenCompose(live -> {
            QueueRecord current = live.record();
            boolean storeIsOld = current.uid() == stale.queue().uid()
                    && current.version() == stale.queue().version()
                    && stale.number() < current.stores().size();
            return storeIsOld
                    ? node.records().refresh(current, stale.store()).thenCompose(done -> read(current.name()))
                    : CompletableFuture.completedFuture(live);
        });
    }

    void close() {
        closed = true;
        known.values().forEach(LocalQueue::close);
    }
}
