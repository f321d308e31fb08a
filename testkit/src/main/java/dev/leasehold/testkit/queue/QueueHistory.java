package dev.leasehold.testkit.queue;

import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What happened in one partition as its clients saw it: every call with the times of its invocation and its return.
 *
 * <p>Items are told apart by their texts, which must be unique. Only calls that were acknowledged are recorded, and those that
 * were refused. Safe for use by many threads; ask for {@link #violations} when all is over.
 */
public final class QueueHistory {
    private final Duration leaseTimeout;
    private final List<Produce> produces = new CopyOnWriteArrayList<>();
    private final List<Lease> leases = new CopyOnWriteArrayList<>();
    private final List<Settlement> retries = new CopyOnWriteArrayList<>();
    private final List<Settlement> completes = new CopyOnWriteArrayList<>();
    private final List<Settlement> refusals = new CopyOnWriteArrayList<>();
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** A history of a queue whose leases last so long, and are not extended. */
    public QueueHistory(Duration leaseTimeout) {
        this.leaseTimeout = leaseTimeout;
    }

    /** Items were produced together, in this order. */
    public void produced(Span span, List<String> items) {
        produces.add(new Produce(span, List.copyOf(items)));
    }

    /** Items were leased together, in this order; or none was there in time. */
    public void leased(Span span, List<LeasedItem> items) {
        leases.add(new Lease(span, List.copyOf(items)));
    }

    /** An item was given another turn at once. */
    public void retried(Span span, LeasedItem item) {
        retries.add(new Settlement(span, item));
    }

    /** Notes a complete that was acknowledged. */
    public void completed(Span span, LeasedItem item) {
        completes.add(new Settlement(span, item));
    }

    /** A complete or retry was refused because the lease had ended. */
    public void refused(Span span, LeasedItem item) {
        refusals.add(new Settlement(span, item));
    }

    /** Items are still in the queue at the end. */
    public void left(Collection<String> items) {
        left.addAll(items);
    }

    List<Produce> produces() {
        return produces;
    }

    List<Lease> leases() {
        return leases;
    }

    List<Settlement> retries() {
        return retries;
    }

    List<Settlement> completes() {
        return completes;
    }

    List<Settlement> refusals() {
        return refusals;
    }

    Set<String> left() {
        return left;
    }

    Duration leaseTimeout() {
        return leaseTimeout;
    }

    /** What no FIFO queue with leases could have done, in words; empty if all is well. */
    public List<String> violations() {
        return new HistoryChecker(this).violations();
    }

    /** From the invocation of a call to its return, by nanoTime: what it did it did in between. */
    public record Span(long invoked, long returned) {
        /** Of a call that was invoked then and has returned now. */
        public static Span since(long invoked) {
            return new Span(invoked, System.nanoTime());
        }

        boolean isBefore(Span other) {
            return returned < other.invoked;
        }
    }

    record Produce(Span span, List<String> items) {}

    record Lease(Span span, List<LeasedItem> items) {}

    /** An item of a lease, and the call that ended it. */
    record Settlement(Span span, LeasedItem item) {}
}
