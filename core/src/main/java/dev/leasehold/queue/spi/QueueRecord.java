package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueInfo;
import java.util.List;

/**
 * What a store keeps of a queue.
 *
 * @param info what people see of it
 * @param uid never the same for two queues, not even of the same name; part of every item id
 * @param version another with every change; a store does nothing for a caller who knows an older one
 * @param stores the store of each partition, by number; there may be more of them than new items go to
 */
public record QueueRecord(QueueInfo info, long uid, long version, List<String> stores) {
    public QueueRecord {
        stores = List.copyOf(stores);
    }

    public String name() {
        return info.name();
    }

    /** One of its partitions. */
    public PartitionRef partition(int number) {
        return new PartitionRef(this, number);
    }
}
