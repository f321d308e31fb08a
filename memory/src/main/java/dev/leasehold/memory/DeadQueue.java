package dev.leasehold.memory;

import dev.leasehold.queue.QueueConfig;
import java.time.Instant;

/** The partition of a dead queue into which dead letters go. */
record DeadQueue(Partition partition, QueueConfig queue) {
    /** Takes a dead letter; false if it has it already. */
    boolean take(Item item, Instant now) {
        String sourceId = item.id().value();
        boolean isNew = !partition.hasSource(sourceId);
        if (isNew) {
            partition.appendReady(item.content().deadLetter(sourceId, now, queue.expireTimeout()), 0);
        }
        return isNew;
    }
}
