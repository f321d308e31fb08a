package dev.leasehold.memory;

import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One item in its partition.
 *
 * @param number its place
 * @param id this number as the world sees it, with how often it was given back
 * @param dueAt when something happens to it unless somebody does something: a scheduled item becomes ready, a lease ends, the
 *     time of a ready item is over
 * @param attempts leases so far
 */
record Item(long number, ItemId id, State state, Instant dueAt, int attempts, Content content) {
    static final Comparator<Item> AS_DUE = Comparator.comparing(Item::dueAt).thenComparing(Item::number);

    enum State {
        SCHEDULED,
        READY,
        LEASED
    }

    boolean isScheduled() {
        return state == State.SCHEDULED;
    }

    boolean isReady() {
        return state == State.READY;
    }

    boolean isLeased() {
        return state == State.LEASED;
    }

    Item scheduled(Instant enqueueAt) {
        return new Item(number, id, State.SCHEDULED, enqueueAt, attempts, content);
    }

    Item leased(Instant deadline) {
        return new Item(number, id, State.LEASED, deadline, attempts + 1, content);
    }

    Item extended(Instant deadline) {
        return new Item(number, id, State.LEASED, deadline, attempts, content);
    }

    /** Ready again in its place: under another id, so that whoever had it can do nothing to it any more. */
    Item givenBack(ItemId id) {
        return new Item(number, id, State.READY, content.expireDeadline(), Math.max(0, attempts - 1), content);
    }

    /** A scheduled item is due on time; leases and items last until their deadline is in the past. */
    boolean isDue(Instant now) {
        return isScheduled() ? !dueAt.isAfter(now) : dueAt.isBefore(now);
    }

    /** Zero if it is due. Otherwise at least the millisecond in which a clock of milliseconds moves on. */
    Duration dueIn(Instant now) {
        Duration left = Duration.between(now, dueAt);
        Duration tick = Duration.ofMillis(1);
        return isDue(now) ? Duration.ZERO : left.compareTo(tick) < 0 ? tick : left;
    }

    boolean isLeasable(Instant now) {
        return isReady() && !isDue(now);
    }

    boolean isExpired(Instant now) {
        return content.expireDeadline().isBefore(now);
    }

    boolean hasHad(int maxAttempts) {
        return maxAttempts != 0 && attempts >= maxAttempts;
    }

    LeasedItem asLeased(int partition) {
        return new LeasedItem(
                id,
                partition,
                attempts,
                dueAt,
                content.reference(),
                content.encoding(),
                content.kind(),
                content.payload());
    }

    StoredItem asStored() {
        return new StoredItem(
                id,
                content.sourceId(),
                isLeased(),
                dueAtIf(isLeased()),
                content.expireDeadline(),
                content.createdAt(),
                dueAtIf(isScheduled()),
                attempts,
                content.maxAttempts(),
                content.reference(),
                content.encoding(),
                content.kind(),
                content.payload());
    }

    private @Nullable Instant dueAtIf(boolean condition) {
        return condition ? dueAt : null;
    }
}
