package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Handler;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.internal.consume.FakeCall.Verb;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue in memory that notes every call and reacts as a test says; by itself it does what it should, in its own thread. */
final class FakeQueue implements ItemQueue, AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name = "fake-" + COUNT.incrementAndGet();
    final FakeItems items = new FakeItems();
    final Timer store = new Timer("fake-store");
    volatile Runnable inCallersThread = () -> {};
    private final Map<Verb, Reaction> reactions = new EnumMap<>(Verb.class);
    private final List<FakeCall> calls = new ArrayList<>();
    private final List<FakeCall> waiting = new ArrayList<>();

    /** What the store does with a call. */
    interface Reaction {
        void to(FakeCall call);
    }

    /** Puts items into a partition. */
    List<ItemId> put(int partition, int attempts, int count) {
        List<ItemId> ids = items.put(partition, attempts, count);
        serve();
        return ids;
    }

    List<ItemId> put(int count) {
        return put(0, 1, count);
    }

    synchronized void on(Verb verb, Reaction reaction) {
        reactions.put(verb, reaction);
    }

    /** Reacts so to the first calls of a verb, and then as it should. */
    void onFirst(int count, Verb verb, Reaction reaction) {
        on(verb, call -> (calls(verb).indexOf(call) < count ? reaction : (Reaction) FakeCall::carryOut).to(call));
    }

    synchronized void behave() {
        reactions.clear();
    }

    synchronized List<FakeCall> calls(Verb verb) {
        return calls.stream().filter(call -> call.verb == verb).toList();
    }

    private <T> CompletableFuture<T> call(FakeCall call) {
        Reaction reaction;
        synchronized (this) {
            calls.add(call);
            reaction = reactions.getOrDefault(call.verb, FakeCall::carryOut);
        }
        inCallersThread.run();
        store.after(0, () -> reaction.to(call));
        return call.future();
    }

    /** A lease waits until there is something for it. */
    void lease(FakeCall call) {
        synchronized (this) {
            waiting.add(call);
        }
        serve();
    }

    private synchronized void serve() {
        waiting.removeIf(FakeCall::isDone);
        while (!waiting.isEmpty() && !items.ready().isEmpty()) {
            FakeCall call = waiting.remove(0);
            LeasedBatch batch = items.lease(name, call.limit);
            if (!call.answer(batch)) {
                items.giveBack(batch.ids());
            }
        }
    }

    @Override
    public CompletableFuture<String> namespaceAsync() {
        return CompletableFuture.completedFuture("");
    }

    @Override
    public String name() {
        return name;
    }

    /** What every line of its consumer's log contains, and no other. */
    String tag() {
        return "queue=" + name + " ";
    }

    @Override
    public CompletableFuture<LeasedBatch> leaseAsync(LeaseRequest request) {
        return call(FakeCall.lease(this, request));
    }

    @Override
    public CompletableFuture<Void> completeAsync(int partition, List<ItemId> ids) {
        return call(new FakeCall(this, Verb.COMPLETE, partition, ids));
    }

    @Override
    public CompletableFuture<Void> retryAsync(int partition, List<RetryItem> retries) {
        return call(FakeCall.retry(this, partition, retries));
    }

    @Override
    public CompletableFuture<Instant> extendAsync(int partition, List<ItemId> ids, Duration leaseTimeout) {
        if (!leaseTimeout.isZero()) {
            throw new AssertionError("leases must be extended by the queue's own timeout, not by " + leaseTimeout);
        }
        return call(new FakeCall(this, Verb.EXTEND, partition, ids));
    }

    @Override
    public CompletableFuture<Void> giveBackAsync(int partition, List<ItemId> ids) {
        return call(new FakeCall(this, Verb.GIVE_BACK, partition, ids));
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public CompletableFuture<Produced> produceAsync(ProduceRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<StoredItem>> listAsync(ItemListing listing) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<StoredItem>> listScheduledAsync(ItemListing listing) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<StoredItem>> importItemsAsync(int partition, List<StoredItem> stored) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> deleteAsync(int partition, List<ItemId> ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> clearAsync(ClearRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<QueueStats> statsAsync() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> reloadAsync() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Consumer consume(ConsumeOptions options, Handler<LeasedItem> handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Consumer consumeBatches(ConsumeOptions options, BatchHandler<LeasedItem> handler) {
        throw new UnsupportedOperationException();
    }
}
