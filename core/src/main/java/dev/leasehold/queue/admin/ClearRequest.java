package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueException;

/**
 * What to clear away, in all partitions.
 *
 * @param queue items that are ready
 * @param scheduled items that are scheduled
 * @param destructive with {@code queue}: leased items too
 */
public record ClearRequest(boolean queue, boolean scheduled, boolean destructive) {
    public ClearRequest {
        if (!queue && !scheduled) {
            throw QueueException.invalidArgument("invalid clear request; one of 'queue', 'scheduled' must be true");
        }
    }
}
