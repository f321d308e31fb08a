package dev.leasehold.queue.item;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.Ksuid;

/**
 * The id of an item: 27 characters that sort in the order of the queue.
 *
 * <p>It is the item's fence, and good for one lease. When a lease ends without completion, or the item is given back, it gets a new
 * id, and the old one is dead.
 *
 * @param value a KSUID in base62
 */
public record ItemId(String value) implements Comparable<ItemId> {
    public ItemId {
        String wrong = Ksuid.whatIsWrongWith(value);
        if (!wrong.isEmpty()) {
            throw QueueException.invalidArgument("invalid storage id; '" + value + "': " + wrong);
        }
    }

    @Override
    public int compareTo(ItemId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
