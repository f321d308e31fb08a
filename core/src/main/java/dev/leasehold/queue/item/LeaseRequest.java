package dev.leasehold.queue.item;

import dev.leasehold.queue.QueueRules;
import java.time.Duration;

/**
 * A wish for items.
 *
 * @param clientId who asks; only one request of a client may wait at a queue at a time
 * @param batchSize how many items at most, up to 1,000; the answer comes as soon as there is one
 * @param timeout how long to wait for the first item
 */
public record LeaseRequest(String clientId, int batchSize, Duration timeout) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

    public LeaseRequest {
        QueueRules.clientId(clientId);
        QueueRules.leaseBatch(batchSize);
        QueueRules.leaseTimeout(timeout);
    }

    public static LeaseRequest of(String clientId, int batchSize) {
        return new LeaseRequest(clientId, batchSize, DEFAULT_TIMEOUT);
    }

    public LeaseRequest timeout(Duration timeout) {
        return new LeaseRequest(clientId, batchSize, timeout);
    }
}
