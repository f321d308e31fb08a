package dev.leasehold.queue;

/**
 * Items that were deleted although nobody has completed them.
 *
 * @param queue whose they were
 * @param reason why
 * @param count how many
 */
public record DiscardedItems(String queue, DiscardReason reason, long count) {}
