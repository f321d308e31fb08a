package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;

/** The caller knew an older version of a queue, and nothing was done. Read the record again, then repeat. */
public final class StaleQueueException extends QueueException {
    private static final long serialVersionUID = 1L;

    private final transient PartitionRef partition;

    /** The record of the queue of this partition is old. */
    public StaleQueueException(PartitionRef partition) {
        super(
                QueueErrorCode.SERVICE_UNAVAILABLE,
                "queue '" + partition.queue().name() + "' was changed or deleted meanwhile; try again");
        this.partition = partition;
    }

    /** What the caller named. */
    public PartitionRef partition() {
        return partition;
    }
}
