package dev.leasehold.queue.item;

import dev.leasehold.queue.QueueRules;
import java.time.Duration;
import java.util.UUID;

/**
 * Asks for items to lease.
 *
 * @param clientId who asks; only one request of a client may wait at a queue at a time
 * @param batchSize how many items at most, up to 1,000; the answer comes as soon as there is one
 * @param timeout how long to wait for the first item
 */
public record LeaseRequest(String clientId, int batchSize, Duration timeout) {
    /** How long a request waits that does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

    public LeaseRequest {
        QueueRules.clientId(clientId);
        QueueRules.leaseBatch(batchSize);
        QueueRules.leaseTimeout(timeout);
    }

    /** Up to {@code batchSize} items, for a client without a name; waits for the first for a minute at most. */
    public static LeaseRequest of(int batchSize) {
        return of(UUID.randomUUID().toString(), batchSize);
    }

    /** Up to {@code batchSize} items for a client that can be recognized; waits for the first for a minute at most. */
    public static LeaseRequest of(String clientId, int batchSize) {
        return new LeaseRequest(clientId, batchSize, DEFAULT_TIMEOUT);
    }

    /** How long to wait for the first item: more than 10 ms, at most 15 minutes. */
    public LeaseRequest timeout(Duration timeout) {
        return new LeaseRequest(clientId, batchSize, timeout);
    }
}
