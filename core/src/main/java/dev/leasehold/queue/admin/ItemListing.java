package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemId;
import org.jspecify.annotations.Nullable;

/**
 * Which items to list.
 *
 * @param pivot where the page begins, inclusive; if there is no such item, the next one after it. Null: at the head
 * @param limit how many at most; zero means 1,000, and more than 10,000 means 10,000. A page of large items is shorter
 */
public record ItemListing(int partition, @Nullable ItemId pivot, int limit) {
    public ItemListing {
        if (limit < 0) {
            throw QueueException.invalidArgument("limit is invalid; limit cannot be negative");
        }
        limit = limit == 0 ? QueueLimits.DEFAULT_PAGE : Math.min(limit, QueueLimits.MAX_ITEMS_PAGE);
    }

    /** The first items of a partition. */
    public static ItemListing of(int partition) {
        return new ItemListing(partition, null, 0);
    }

    /** From {@code pivot} on, or the next item after it. */
    public ItemListing from(ItemId pivot) {
        return new ItemListing(partition, pivot, limit);
    }

    /** At most {@code limit} items; zero means 1,000. */
    public ItemListing limit(int limit) {
        return new ItemListing(partition, pivot, limit);
    }
}
