package dev.leasehold.postgres.queue;

import dev.leasehold.queue.spi.PartitionRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a statement that may make dead letters wants to know. */
final class DeadValues {
    private DeadValues() {}

    static void add(Map<String, @Nullable Object> values, PartitionRef partition, @Nullable PartitionRef dead) {
        values.put("max_attempts", (long) partition.queue().info().config().maxAttempts());
        values.put("uid", partition.queue().uid());
        values.put("partition", (long) partition.number());
        values.put("dead_queue", dead == null ? null : dead.queue().name());
        values.put("dead_version", dead == null ? null : (Long) dead.queue().version());
        values.put(
                "dead_expire_us",
                dead == null
                        ? null
                        : (Long) QueueRows.micros(dead.queue().info().config().expireTimeout()));
    }
}
