package dev.leasehold.queue.item;

import java.util.List;

/**
 * Where produced items went.
 *
 * @param partition the partition they are in
 * @param ids their ids, in the order of the request; an item that becomes ready later, is retried or whose lease ends gets a new one
 */
public record Produced(int partition, List<ItemId> ids) {}
