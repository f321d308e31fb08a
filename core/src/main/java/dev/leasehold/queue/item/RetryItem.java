package dev.leasehold.queue.item;

import dev.leasehold.queue.When;

/**
 * What is to become of a leased item that was not done.
 *
 * @param when when to try again; it stands at the tail then
 * @param dead never again: it goes to the dead queue, or away if there is none
 */
public record RetryItem(ItemId id, When when, boolean dead) {
    /** Again at once, behind everything that is ready. */
    public static RetryItem now(ItemId id) {
        return new RetryItem(id, When.now(), false);
    }

    /** Again later. */
    public static RetryItem at(ItemId id, When when) {
        return new RetryItem(id, when, false);
    }

    /** Not again. */
    public static RetryItem dead(ItemId id) {
        return new RetryItem(id, When.now(), true);
    }
}
