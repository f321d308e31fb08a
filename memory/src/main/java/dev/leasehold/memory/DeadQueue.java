package dev.leasehold.memory;

import dev.leasehold.queue.QueueConfig;
import java.time.Instant;

/** The partition of a dead queue into which dead letters go. */
record DeadQueue(Partition partition, QueueConfig queue) {
    /** Takes a dead letter, unless it has it already. */
    void take(Item item, Instant now) {
        String sourceId = item.id().value();
        if (!partition.hasSource(sourceId)) {
            partition.appendReady(item.content().deadLetter(sourceId, now, queue.expireTimeout()), 0);
        }
    }
}
