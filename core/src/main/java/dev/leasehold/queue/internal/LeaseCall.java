package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.dispatch.WaitingConsumer;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** A waiting consumer with the future that its caller has. */
final class LeaseCall extends WaitingConsumer {
    private final CompletableFuture<LeasedBatch> result = new CompletableFuture<>();
    private volatile boolean isAnswered;
    private volatile @Nullable ScheduledFuture<?> timeout;

    LeaseCall(LeaseRequest request) {
        super(request);
    }

    CompletableFuture<LeasedBatch> result() {
        return result;
    }

    /** Returns false if the caller has cancelled. */
    boolean answer(LeasedBatch batch) {
        isAnswered = true;
        return result.complete(batch);
    }

    void fail(QueueException failure) {
        isAnswered = true;
        result.completeExceptionally(failure);
    }

    /** Whether {@link #answer} or {@link #fail} was called, and the end of the future is no news. */
    boolean isAnswered() {
        return isAnswered;
    }

    void timeout(ScheduledFuture<?> alarm) {
        timeout = alarm;
        if (result.isDone()) {
            alarm.cancel(false);
        }
    }

    void cancelTimeout() {
        ScheduledFuture<?> alarm = timeout;
        if (alarm != null) {
            alarm.cancel(false);
        }
    }
}
