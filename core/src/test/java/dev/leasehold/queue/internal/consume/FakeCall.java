package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.RetryItem;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A call to a fake queue: what was asked, when, and the answer to come. */
final class FakeCall {
    enum Verb {
        LEASE,
        COMPLETE,
        RETRY,
        EXTEND,
        GIVE_BACK
    }

    static final Runnable NOTHING = () -> {};

    final Verb verb;
    final int partition;
    final List<ItemId> ids;
    final long nanos = System.nanoTime();
    final String thread = Thread.currentThread().getName();
    List<RetryItem> retries = List.of();

    @Nullable LeaseRequest request;

    int limit;
    volatile Runnable beforeCancel = NOTHING;
    private final FakeQueue queue;
    private final CompletableFuture<Object> future = new CompletableFuture<>() {
        @Override
        public boolean cancel(boolean mayInterrupt) {
            beforeCancel.run();
            return super.cancel(mayInterrupt);
        }
    };

    FakeCall(FakeQueue queue, Verb verb, int partition, List<ItemId> ids) {
        this.queue = queue;
        this.verb = verb;
        this.partition = partition;
        this.ids = ids;
    }

    static FakeCall lease(FakeQueue queue, LeaseRequest request) {
        FakeCall call = new FakeCall(queue, Verb.LEASE, -1, List.of());
        call.request = request;
        call.limit = request.batchSize();
        return call;
    }

    static FakeCall retry(FakeQueue queue, int partition, List<RetryItem> retries) {
        FakeCall call = new FakeCall(
                queue,
                Verb.RETRY,
                partition,
                retries.stream().map(RetryItem::id).toList());
        call.retries = retries;
        return call;
    }

    /** Does what was asked, and answers. */
    void carryOut() {
        try {
            act();
            if (verb != Verb.LEASE) {
                answer(verb == Verb.EXTEND ? Instant.EPOCH : null);
            }
        } catch (QueueException e) {
            future.completeExceptionally(e);
        }
    }

    private void act() {
        switch (verb) {
            case LEASE -> queue.lease(this);
            case COMPLETE -> queue.items.complete(ids);
            case RETRY -> queue.items.end(ids);
            case EXTEND -> queue.items.check(ids);
            case GIVE_BACK -> queue.items.giveBack(ids);
        }
    }

    /** Does nothing, and says that it failed. */
    void fail(QueueErrorCode code) {
        future.completeExceptionally(new QueueException(code, "the test says so"));
    }

    /** Does what was asked, and yet does not answer in time. */
    void carryOutInSilence() {
        try {
            act();
            fail(QueueErrorCode.NETWORK_TIMEOUT);
        } catch (QueueException e) {
            future.completeExceptionally(e);
        }
    }

    /** False if it was answered or cancelled before. */
    boolean answer(@Nullable Object answer) {
        return future.complete(answer);
    }

    boolean isDone() {
        return future.isDone();
    }

    boolean isCancelled() {
        return future.isCancelled();
    }

    @SuppressWarnings("unchecked") // the caller knows which answer its verb has
    <T> CompletableFuture<T> future() {
        return (CompletableFuture<T>) future;
    }
}
