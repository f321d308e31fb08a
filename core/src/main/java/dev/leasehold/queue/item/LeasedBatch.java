package dev.leasehold.queue.item;

import java.util.List;

/**
 * What a lease brought: items of one partition, in their order, or nothing if none came in time.
 *
 * @param partition where the items are; complete, retry and extend want to know it
 */
public record LeasedBatch(String queue, int partition, List<LeasedItem> items) {
    public boolean isEmpty() {
        return items.isEmpty();
    }

    public List<ItemId> ids() {
        return items.stream().map(LeasedItem::id).toList();
    }
}
