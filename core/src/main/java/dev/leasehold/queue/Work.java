package dev.leasehold.queue;

import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;

/**
 * A leased item in the hands of a handler.
 *
 * <p>The consumer extends the lease while the handler runs. A handler that returns completes the item, unless it has called {@link
 * #retryAfter} or {@link #bury}; one that throws has it retried as the {@link RetryRules} of the consumer say.
 *
 * @param <T> the type of the payload
 */
public interface Work<T> {
    /** The payload, decoded. */
    T payload();

    /** The item as it was leased: its id, kind, reference, encoding and bytes. */
    LeasedItem item();

    /** How often the item has been leased, this time included. */
    default int attempts() {
        return item().attempts();
    }

    /** When the lease ends by the store's clock, as far as this consumer knows: it extends the lease well before. */
    Instant deadline();

    /** Whether the lease was lost: another consumer may work on the item, and whatever this handler decides has no effect. */
    boolean isLost();

    /**
     * Extends the lease to {@code leaseTimeout} from now. Needed only by a handler that is about to stall its own JVM, or that wants to
     * know that the lease is still its own.
     *
     * @throws QueueException if the lease was lost, or the store failed
     */
    void extend(Duration leaseTimeout);

    /** When the handler returns, the item is not completed but retried after {@code delay}. The attempt counts. */
    void retryAfter(Duration delay);

    /**
     * When the handler returns, the item is not completed but dead-lettered. Without a dead queue it is deleted, counted and logged as
     * discarded.
     *
     * @param reason for the log; must not contain anything secret
     */
    void bury(String reason);
}
