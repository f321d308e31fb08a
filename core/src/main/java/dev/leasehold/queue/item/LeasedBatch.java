package dev.leasehold.queue.item;

import java.util.List;

/**
 * What a lease brought: items of one partition, in their order, or nothing if none came in time.
 *
 * @param partition where the items are
 */
public record LeasedBatch(String queue, int partition, List<LeasedItem> items) {
    /** Whether nothing came in time. */
    public boolean isEmpty() {
        return items.isEmpty();
    }

    /** The ids of the items, in their order. */
    public List<ItemId> ids() {
        return items.stream().map(LeasedItem::id).toList();
    }
}
