package dev.leasehold.queue;

/**
 * Hears of items that this node deletes although nobody has completed them, because their queue has no dead queue. What people
 * delete or clear, with or without their queue, is not among them.
 *
 * <p>It is called in the thread that completed the call, so it must be quick. What it throws is swallowed.
 */
@FunctionalInterface
public interface QueueListener {
    void onDiscarded(DiscardedItems discarded);
}
