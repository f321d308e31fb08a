package dev.leasehold.memory;

import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.ItemStore.Retried;
import dev.leasehold.queue.spi.ItemStore.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happens to items that come back: retried by their consumer, or swept because they are due.
 *
 * <ol>
 *   <li>An item at its max attempts, or past its expiry, is dead-lettered, or discarded if there is no dead queue. If its queue names
 *       a dead queue that does not exist, it stays where it is.
 *   <li>An item retried for later is scheduled, and keeps its id.
 *   <li>Every other item becomes ready at the tail, under a new id.
 * </ol>
 *
 * One object serves one call, and counts what it did.
 */
final class Redelivery {
    static final int SWEEP_LIMIT = 500;

    /** How long to leave alone what stays where it is. */
    private static final Duration MISSING_PAUSE = Duration.ofSeconds(1);

    private final Transitions transitions;
    private final Partition partition;
    private final Instant now;
    private final int maxAttempts;
    private final @Nullable DeadQueue deadQueue;
    private final boolean isDeadQueueMissing;

    private int ready;
    private int dead;
    private int expired;
    private int exhausted;
    private int rejected;
    private int duplicates;
    private @Nullable Instant firstEnqueueAt;

    Redelivery(Transitions transitions, @Nullable DeadQueue deadQueue) {
        this.transitions = transitions;
        this.partition = transitions.partition();
        this.now = transitions.now();
        this.maxAttempts = transitions.queue().maxAttempts();
        this.deadQueue = deadQueue;
        this.isDeadQueueMissing = deadQueue == null && transitions.queue().hasDeadQueue();
    }

    Retried retry(List<RetryItem> items) {
        Map<Item, RetryItem> wishes = new LinkedHashMap<>();
        items.forEach(wish -> wishes.putIfAbsent(transitions.leased(wish.id(), "retried"), wish));
        wishes.forEach(this::retry);
        Duration next = firstEnqueueAt == null ? null : Duration.between(now, firstEnqueueAt);
        return new Retried(ready, dead, new Discarded(expired, exhausted, rejected, duplicates), next);
    }

    private void retry(Item item, RetryItem wish) {
        Instant enqueueAt = Deadlines.enqueueAt(wish.when(), now);
        if (wish.dead()) {
            rejected += bury(item);
        } else if (item.hasHad(maxAttempts)) {
            exhausted += bury(item);
        } else if (enqueueAt == null) {
            moveToTail(item);
        } else {
            partition.replace(item.scheduled(enqueueAt));
            firstEnqueueAt = firstEnqueueAt == null || enqueueAt.isBefore(firstEnqueueAt) ? enqueueAt : firstEnqueueAt;
        }
    }

    Swept sweep() {
        List<Item> due = partition.where(item -> item.isDue(now) && !(isDeadQueueMissing && isOver(item)));
        due.stream().sorted(Item.AS_DUE).limit(SWEEP_LIMIT).forEach(this::sweep);
        return new Swept(ready, dead, new Discarded(expired, exhausted, rejected, duplicates), nextDue());
    }

    private @Nullable Duration nextDue() {
        Duration next = Inventory.nextDue(partition, now);
        boolean isStuck = isDeadQueueMissing && ready == 0 && next != null && next.isZero();
        return isStuck ? MISSING_PAUSE : next;
    }

    private boolean isOver(Item item) {
        return switch (item.state()) {
            case SCHEDULED -> false;
            case READY -> true;
            case LEASED -> item.hasHad(maxAttempts) || item.isExpired(now);
        };
    }

    private void sweep(Item item) {
        if (isOver(item) && item.isExpired(now)) {
            expired += bury(item);
        } else if (isOver(item)) {
            exhausted += bury(item);
        } else {
            moveToTail(item);
        }
    }

    private void moveToTail(Item item) {
        partition.moveToTail(item);
        ready++;
    }

    /** How many are lost by it: one, unless there is a dead queue. */
    private int bury(Item item) {
        if (isDeadQueueMissing) {
            return 0;
        }
        partition.remove(item);
        if (deadQueue == null) {
            return 1;
        }
        if (deadQueue.take(item, now)) {
            dead++;
        } else {
            duplicates++;
        }
        return 0;
    }
}
