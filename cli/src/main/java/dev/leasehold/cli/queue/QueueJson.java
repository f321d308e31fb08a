package dev.leasehold.cli.queue;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.spi.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Results about queues as JSON documents. Bytes are base64, moments RFC 3339, durations as in {@code 1m30s}. */
final class QueueJson {
    private QueueJson() {}

    static Map<String, Object> of(QueueInfo info) {
        QueueConfig config = info.config();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", config.name());
        document.put("namespace", config.namespace());
        document.put("lease_timeout", GoDuration.format(config.leaseTimeout()));
        document.put("expire_timeout", GoDuration.format(config.expireTimeout()));
        document.put("max_attempts", config.maxAttempts());
        document.put("dead_queue", config.deadQueue());
        document.put("reference", config.reference());
        document.put("requested_partitions", config.partitions());
        document.put("created_at", info.createdAt().toString());
        document.put("updated_at", info.updatedAt().toString());
        return document;
    }

    static Map<String, Object> list(Map<QueueInfo, Depth> queues) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "queues",
                queues.entrySet().stream()
                        .map(queue -> of(queue.getKey(), queue.getValue()))
                        .toList());
        document.put("count", queues.size());
        return document;
    }

    private static Map<String, @Nullable Object> of(QueueInfo info, Depth depth) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>(of(info));
        document.put("ready", depth.ready());
        document.put("leased", depth.leased());
        document.put("scheduled", depth.scheduled());
        document.put("oldest_ready", depth.oldest().map(GoDuration::format).orElse(null));
        return document;
    }

    static Map<String, Object> of(LeasedBatch batch) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", batch.queue());
        document.put("partition", batch.partition());
        document.put("items", batch.items().stream().map(QueueJson::of).toList());
        return document;
    }

    private static Map<String, Object> of(LeasedItem item) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", item.id().value());
        document.put("attempts", item.attempts());
        document.put("lease_deadline", item.leaseDeadline().toString());
        document.put("encoding", item.encoding());
        document.put("kind", item.kind());
        document.put("reference", item.reference());
        document.put("bytes", item.payload());
        return document;
    }

    static Map<String, Object> items(String queue, int partition, List<StoredItem> items) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", queue);
        document.put("partition", partition);
        document.put("items", items.stream().map(QueueJson::of).toList());
        return document;
    }

    private static Map<String, @Nullable Object> of(StoredItem item) {
        ItemId id = item.id();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", id == null ? null : id.value());
        document.put("source_id", item.sourceId());
        document.put("is_leased", item.isLeased());
        document.put("lease_deadline", text(item.leaseDeadline()));
        document.put("expire_deadline", text(item.expireDeadline()));
        document.put("created_at", text(item.createdAt()));
        document.put("enqueue_at", text(item.enqueueAt()));
        document.put("attempts", item.attempts());
        document.put("max_attempts", item.maxAttempts());
        document.put("encoding", item.encoding());
        document.put("kind", item.kind());
        document.put("reference", item.reference());
        document.put("payload", item.payload());
        return document;
    }

    private static @Nullable String text(@Nullable Instant moment) {
        return moment == null ? null : moment.toString();
    }

    static Map<String, Object> of(QueueStats stats) {
        Map<String, Object> logical = new LinkedHashMap<>();
        logical.put("produce_waiting", stats.produceWaiting());
        logical.put("lease_waiting", stats.leaseWaiting());
        logical.put("complete_waiting", stats.completeWaiting());
        logical.put("in_flight", stats.inFlight());
        logical.put("partitions", stats.partitions().stream().map(QueueJson::of).toList());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", stats.queue());
        document.put("logical_queues", List.of(logical));
        return document;
    }

    private static Map<String, @Nullable Object> of(QueueStats.Partition partition) {
        Duration oldest = partition.oldestReady();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("partition", partition.partition());
        document.put("total", partition.total());
        document.put("total_leased", partition.totalLeased());
        document.put("scheduled", partition.scheduled());
        document.put("failures", partition.failures());
        document.put("average_age", GoDuration.format(partition.averageAge()));
        document.put("average_leased_age", GoDuration.format(partition.averageLeasedAge()));
        document.put("oldest_ready", oldest == null ? null : GoDuration.format(oldest));
        return document;
    }

    /** What was done to how many items. */
    static Map<String, Object> count(String queue, int partition, int count) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", queue);
        document.put("partition", partition);
        document.put("count", count);
        return document;
    }
}
