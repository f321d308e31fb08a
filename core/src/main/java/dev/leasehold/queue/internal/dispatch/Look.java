package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.spi.PartitionRef;
import java.util.List;

/** A question to one store: what is ready and due in these partitions. */
public final class Look {
    /** In the place of the number of changes, where the count of the store would be inexact. */
    static final int INEXACT = -1;

    private final String store;
    private final List<PartitionRef> partitions;

    final long question;

    /** What {@link PartitionState#changes} was for each of them. */
    final int[] changes;

    Look(String store, List<PartitionRef> partitions, long question, int[] changes) {
        this.store = store;
        this.partitions = partitions;
        this.question = question;
        this.changes = changes;
    }

    public String store() {
        return store;
    }

    public List<PartitionRef> partitions() {
        return partitions;
    }
}
