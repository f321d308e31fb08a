package dev.leasehold.queue.internal;

import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.LeasedItem;
import dev.leasehold.queue.RetryItem;
import dev.leasehold.queue.When;
import java.time.Duration;

/** An item in the hands of a consumer. It belongs to the desk; handlers ask only whether it is over. */
final class HeldItem {
    private final int partition;
    private final LeasedItem leased;
    private Duration backoff = Duration.ZERO;
    private boolean finished;
    private long finishedNanos;
    private volatile boolean over;

    /** An extension is under way. */
    boolean extending;

    /** A call that settles it is under way. */
    boolean settling;

    /** A call that was to settle it was not answered: it may have been carried out. */
    boolean unknown;

    HeldItem(int partition, LeasedItem leased) {
        this.partition = partition;
        this.leased = leased;
    }

    int partition() {
        return partition;
    }

    LeasedItem leased() {
        return leased;
    }

    ItemId id() {
        return leased.id();
    }

    /** Its handler has returned, or it will never have one. */
    void finish() {
        finished = true;
        finishedNanos = System.nanoTime();
    }

    boolean isFinished() {
        return finished;
    }

    /** Its next turn is to come so much later. */
    void backOff(Duration backoff) {
        this.backoff = backoff;
    }

    RetryItem retry() {
        return backoff.isZero() ? RetryItem.now(id()) : RetryItem.at(id(), When.after(backoff));
    }

    /** Nothing more is to be done about it: it is settled, or its lease is lost. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /**
     * Whether a beat must extend it. One that finished less than an interval ago is about to be settled, and an extension would
     * only cross that call; it was extended less than two intervals ago.
     */
    boolean isToBeExtended(long now, long interval) {
        return !extending && !(finished && now - finishedNanos < interval);
    }
}
