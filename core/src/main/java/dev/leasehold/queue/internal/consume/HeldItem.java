package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An item in the hands of a consumer. It belongs to the loop; handlers ask whether it is over, and decide. */
final class HeldItem {
    private final int partition;
    private final LeasedItem leased;
    private Duration backoff = Duration.ZERO;
    private boolean buried;
    private boolean finished;
    private long finishedNanos;
    private volatile boolean over;
    private volatile Instant deadline;
    private volatile @Nullable Decision decision;

    /** An extension is under way. */
    boolean extending;

    /** A call that settles it is under way. */
    boolean settling;

    /** A call or a commit that was to settle it was not answered: it may have been carried out. */
    volatile boolean unknown;

    HeldItem(int partition, LeasedItem leased) {
        this.partition = partition;
        this.leased = leased;
        this.deadline = leased.leaseDeadline();
    }

    /** What a handler wants to become of its item, in the place of its completion. */
    sealed interface Decision {
        /** It is retried after a delay. */
        record Retry(Duration delay) implements Decision {}

        /** It is dead-lettered. */
        record Bury(String reason) implements Decision {}

        /** It was completed by the handler's own transaction. */
        enum Settled implements Decision {
            COMMITTED
        }
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

    /** It is not to come back. */
    void bury() {
        buried = true;
    }

    RetryItem retry() {
        if (buried) {
            return RetryItem.dead(id());
        }
        return backoff.isZero() ? RetryItem.now(id()) : RetryItem.at(id(), When.after(backoff));
    }

    void decide(Decision decision) {
        this.decision = decision;
    }

    @Nullable Decision decision() {
        return decision;
    }

    /** Its lease was extended. */
    void extended(Instant until) {
        deadline = until;
    }

    Instant deadline() {
        return deadline;
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
