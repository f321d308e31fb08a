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
    private static final int BASE_WEIGHT = 200;
    private static final int STORE_WEIGHT = 16;

    public QueueRecord {
        stores = List.copyOf(stores);
    }

    /** The name of the queue. */
    public String name() {
        return info.name();
    }

    /** About how many bytes it takes. */
    public long weight() {
        return BASE_WEIGHT
                + name().length()
                + info.config().deadQueue().length()
                + info.config().reference().length()
                + (long) STORE_WEIGHT * stores.size();
    }

    /** One of its partitions. */
    public PartitionRef partition(int number) {
        return new PartitionRef(this, number);
    }
}
