package dev.leasehold.memory;

import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * A queue as it is now, with its items.
 *
 * @param partitions its partitions by number, as far as anybody has asked for them
 */
record StoredQueue(QueueRecord record, Map<Integer, Partition> partitions) {
    static StoredQueue of(QueueRecord record) {
        return new StoredQueue(record, new HashMap<>());
    }

    /** The same items under another record. */
    StoredQueue with(QueueRecord next) {
        return new StoredQueue(next, partitions);
    }

    boolean isAsKnownTo(QueueRecord caller) {
        return record.uid() == caller.uid() && record.version() == caller.version();
    }

    Partition partition(PartitionRef ref) {
        return partitions.computeIfAbsent(ref.number(), number -> new Partition(record.uid(), number));
    }
}
