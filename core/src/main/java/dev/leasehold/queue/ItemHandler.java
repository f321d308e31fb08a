package dev.leasehold.queue;

/** What a consumer does with each item. */
@FunctionalInterface
public interface ItemHandler {
    /**
     * Works one item. Returning completes it; any exception gives it another turn after a backoff, or the dead queue if it has
     * had them all. The lease is extended while this runs.
     */
    void handle(LeasedItem item) throws Exception;
}
