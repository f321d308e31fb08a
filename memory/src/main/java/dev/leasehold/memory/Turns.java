package dev.leasehold.memory;

import dev.leasehold.queue.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Retried;
import dev.leasehold.queue.spi.ItemStore.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of items that come back at one moment: retried by whoever leased them, or swept because they are due.
 *
 * <ol>
 *   <li>Who has had its attempts, or its time, is buried: it goes to the dead queue, or away if there is none.
 *   <li>Who is to wait is scheduled, and keeps its id.
 *   <li>Everybody else gets another turn: at the tail, under a new id.
 * </ol>
 *
 * One object serves one call, and counts what it did.
 */
final class Turns {
    static final int SWEEP_LIMIT = 500;

    private final Transitions transitions;
    private final Partition partition;
    private final Instant now;
    private final int maxAttempts;
    private final @Nullable DeadQueue deadQueue;

    private int ready;
    private int dead;
    private int gone;
    private @Nullable Instant firstEnqueueAt;

    Turns(Transitions transitions, @Nullable DeadQueue deadQueue) {
        this.transitions = transitions;
        this.partition = transitions.partition();
        this.now = transitions.now();
        this.maxAttempts = transitions.queue().maxAttempts();
        this.deadQueue = deadQueue;
    }

    Retried retry(List<RetryItem> items) {
        Map<Item, RetryItem> wishes = new LinkedHashMap<>();
        items.forEach(wish -> wishes.putIfAbsent(transitions.leased(wish.id(), "retried"), wish));
        wishes.forEach(this::retry);
        return new Retried(ready, dead, firstEnqueueAt == null ? null : Duration.between(now, firstEnqueueAt));
    }

    private void retry(Item item, RetryItem wish) {
        Instant enqueueAt = Moments.enqueueAt(wish.when(), now);
        if (wish.dead() || item.hasHad(maxAttempts)) {
            bury(item);
        } else if (enqueueAt == null) {
            moveToTail(item);
        } else {
            partition.replace(item.scheduled(enqueueAt));
            firstEnqueueAt = firstEnqueueAt == null || enqueueAt.isBefore(firstEnqueueAt) ? enqueueAt : firstEnqueueAt;
        }
    }

    Swept sweep() {
        List<Item> due = partition.where(item -> item.isDue(now));
        due.stream().sorted(Item.AS_DUE).limit(SWEEP_LIMIT).forEach(this::sweep);
        return new Swept(ready, dead, gone, Inventory.nextDue(partition, now));
    }

    private void sweep(Item item) {
        boolean isOver = switch (item.state()) {
            case SCHEDULED -> false;
            case READY -> true;
            case LEASED -> item.hasHad(maxAttempts) || item.isExpired(now);
        };
        if (isOver) {
            bury(item);
        } else {
            moveToTail(item);
        }
    }

    private void moveToTail(Item item) {
        partition.moveToTail(item);
        ready++;
    }

    private void bury(Item item) {
        partition.remove(item);
        if (deadQueue == null) {
            gone++;
        } else {
            deadQueue.take(item, now);
            dead++;
        }
    }
}
