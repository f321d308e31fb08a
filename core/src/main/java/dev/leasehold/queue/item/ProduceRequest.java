package dev.leasehold.queue.item;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueRules;
import java.time.Duration;
import java.util.List;

/**
 * Items to produce together: all into one partition, in this order, all or none.
 *
 * @param items one to 1,000
 * @param timeout how long it may take; when it is over the call fails, and may still have been carried out
 */
public record ProduceRequest(List<NewItem> items, Duration timeout) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    public ProduceRequest {
        QueueRules.produceTimeout(timeout);
        items = List.copyOf(items);
        QueueRules.produceBatch(items.size());
    }

    /** A request to produce these items, with the default timeout. */
    public static ProduceRequest of(List<NewItem> items) {
        return new ProduceRequest(items, DEFAULT_TIMEOUT);
    }

    /** A request to produce these items, with the default timeout. */
    public static ProduceRequest of(NewItem... items) {
        return of(List.of(items));
    }

    /** How long the call may take: more than 10 ms, at most 15 minutes. */
    public ProduceRequest timeout(Duration timeout) {
        return new ProduceRequest(items, timeout);
    }
}
