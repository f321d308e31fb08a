package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.Work;
import dev.leasehold.queue.internal.consume.HeldItem.Decision;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A held item as its handler sees it. */
public final class HeldWork implements Work<LeasedItem> {
    private final ItemQueue queue;
    private final HeldItem held;

    HeldWork(ItemQueue queue, HeldItem held) {
        this.queue = queue;
        this.held = held;
    }

    @Override
    public LeasedItem payload() {
        return held.leased();
    }

    @Override
    public LeasedItem item() {
        return held.leased();
    }

    /** The partition that it was leased from. */
    public int partition() {
        return held.partition();
    }

    @Override
    public Instant deadline() {
        return held.deadline();
    }

    @Override
    public boolean isLost() {
        return held.isOver();
    }

    @Override
    public void extend(Duration leaseTimeout) {
        held.extended(queue.extend(held.partition(), List.of(held.id()), leaseTimeout));
    }

    @Override
    public void retryAfter(Duration delay) {
        held.decide(new Decision.Retry(delay));
    }

    @Override
    public void bury(String reason) {
        held.decide(new Decision.Bury(reason));
    }

    /** Whether the handler has left it to be completed. */
    public boolean isToBeCompleted() {
        return held.decision() == null;
    }

    /** The commit of a transaction that completes it is about to be sent: if its outcome stays unknown, it may have happened. */
    public void committing() {
        held.unknown = true;
    }

    /** A transaction that completes it has committed. */
    public void committed() {
        held.decide(Decision.Settled.COMMITTED);
    }
}
