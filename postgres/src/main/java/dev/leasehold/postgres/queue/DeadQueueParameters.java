package dev.leasehold.postgres.queue;

import dev.leasehold.queue.spi.PartitionRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of statements that may move items to the dead queue. */
final class DeadQueueParameters {
    private DeadQueueParameters() {}

    /** Whether the queue names a dead queue that does not exist. */
    static boolean isMissing(PartitionRef partition, @Nullable PartitionRef dead) {
        return dead == null && partition.queue().info().config().hasDeadQueue();
    }

    static void add(Map<String, @Nullable Object> values, PartitionRef partition, @Nullable PartitionRef dead) {
        values.put("max_attempts", (long) partition.queue().info().config().maxAttempts());
        values.put("partition", (long) partition.number());
        values.put("leaves_dead", isMissing(partition, dead) ? 1L : 0L);
        values.put("dead_queue", dead == null ? null : dead.queue().name());
        values.put("dead_version", dead == null ? null : (Long) dead.queue().version());
        values.put("dead_expire_us", dead == null ? null : (Long) QueueRows.expiryMicros(dead.queue()));
        values.put("dead_uid", dead == null ? null : (Long) dead.queue().uid());
    }
}
