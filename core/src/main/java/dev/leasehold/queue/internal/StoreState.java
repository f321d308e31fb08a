package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.dispatch.Dispatcher;
import dev.leasehold.queue.spi.BusyException;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.NamedStore;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store, and whether it is failing: from a call that it did not answer until the next one that it does. */
final class StoreState {
    private static final Logger log = LoggerFactory.getLogger(StoreState.class);
    private static final Set<QueueErrorCode> TROUBLE =
            EnumSet.of(QueueErrorCode.SERVICE_UNAVAILABLE, QueueErrorCode.NETWORK_TIMEOUT, QueueErrorCode.AUTH_FAILED);

    private final NamedStore store;
    private final Pending pending;
    private final Runnable changed;
    private int failures;
    private @Nullable QueueException lastFailure;

    /** @param changed run after it began to fail, failed again, or answered again */
    StoreState(NamedStore store, Pending pending, Runnable changed) {
        this.store = store;
        this.pending = pending;
        this.changed = changed;
    }

    String name() {
        return store.name();
    }

    ItemStore items(boolean inCallerThread) {
        return inCallerThread ? store.items().blocking() : store.items();
    }

    synchronized int failures() {
        return failures;
    }

    synchronized boolean isFailing() {
        return failures > 0;
    }

    /** Makes a call, takes note of how it ends, and fails its future if it throws. */
    <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
        return watch(QueueAwait.guarded(call));
    }

    /** The same, with what is to be done with the result. Closing waits for that too. */
    <T> void call(Supplier<CompletableFuture<T>> call, BiConsumer<@Nullable T, @Nullable QueueException> then) {
        pending.begin();
        Futures.whenDone(QueueAwait.guarded(call), (value, failure) -> {
            try {
                note(failure);
                then.accept(value, failure == null ? null : QueueAwait.failure(failure));
            } finally {
                pending.end();
            }
        });
    }

    private <T> CompletableFuture<T> watch(CompletableFuture<T> call) {
        Futures.whenDone(call, (value, failure) -> note(failure));
        return pending.track(call);
    }

    /** Whether a failure says that the store is away, and not that the call was wrong. */
    static boolean isTrouble(QueueException failure) {
        boolean answered = failure instanceof StaleQueueException || failure instanceof BusyException;
        return TROUBLE.contains(failure.code()) && !answered;
    }

    private void note(@Nullable Throwable failure) {
        QueueException known = failure == null ? null : QueueAwait.failure(failure);
        if (known == null ? isFailing() : isTrouble(known)) {
            change(known);
            changed.run();
        }
    }

    private synchronized void change(@Nullable QueueException failure) {
        if (failure == null) {
            log.info("event=store_back store={} failures={}", store.name(), failures);
            failures = 0;
        } else {
            if (failures == 0) {
                log.warn("event=store_failing store={}", store.name(), failure);
            }
            failures++;
        }
        lastFailure = failure;
    }

    /** Why its last call was not answered; null if it was. */
    synchronized @Nullable QueueException lastFailure() {
        return lastFailure;
    }

    /** What to tell a caller who needs a partition that lies here. */
    synchronized QueueException unavailable(int partition) {
        return Dispatcher.unavailable(partition, lastFailure);
    }

    void close() {
        store.items().close();
    }
}
