package dev.leasehold.cli.queue;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.spi.GoDuration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers about queues as documents, with the names of Querator's command line. Bytes are base64, moments RFC 3339. */
final class QueueDocuments {
    private QueueDocuments() {}

    static Map<String, Object> of(QueueInfo info) {
        QueueConfig config = info.config();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queueName", config.name());
        document.put("namespace", config.namespace());
        document.put("leaseTimeout", GoDuration.format(config.leaseTimeout()));
        document.put("expireTimeout", GoDuration.format(config.expireTimeout()));
        document.put("maxAttempts", config.maxAttempts());
        document.put("deadQueue", config.deadQueue());
        document.put("reference", config.reference());
        document.put("requestedPartitions", config.partitions());
        document.put("createdAt", info.createdAt().toString());
        document.put("updatedAt", info.updatedAt().toString());
        return document;
    }

    static Map<String, Object> list(List<QueueInfo> queues) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queues", queues.stream().map(QueueDocuments::of).toList());
        document.put("count", queues.size());
        return document;
    }

    static Map<String, Object> of(LeasedBatch batch) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", batch.queue());
        document.put("partition", batch.partition());
        document.put("items", batch.items().stream().map(QueueDocuments::of).toList());
        return document;
    }

    private static Map<String, Object> of(LeasedItem item) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", item.id().value());
        document.put("attempts", item.attempts());
        document.put("leaseDeadline", item.leaseDeadline().toString());
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
        document.put("items", items.stream().map(QueueDocuments::of).toList());
        return document;
    }

    private static Map<String, @Nullable Object> of(StoredItem item) {
        ItemId id = item.id();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", id == null ? null : id.value());
        document.put("sourceId", item.sourceId());
        document.put("isLeased", item.isLeased());
        document.put("leaseDeadline", text(item.leaseDeadline()));
        document.put("expireDeadline", text(item.expireDeadline()));
        document.put("createdAt", text(item.createdAt()));
        document.put("enqueueAt", text(item.enqueueAt()));
        document.put("attempts", item.attempts());
        document.put("maxAttempts", item.maxAttempts());
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
        logical.put("produceWaiting", stats.produceWaiting());
        logical.put("leaseWaiting", stats.leaseWaiting());
        logical.put("completeWaiting", stats.completeWaiting());
        logical.put("inFlight", stats.inFlight());
        logical.put(
                "partitions",
                stats.partitions().stream().map(QueueDocuments::of).toList());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", stats.queue());
        document.put("logicalQueues", List.of(logical));
        return document;
    }

    private static Map<String, Object> of(QueueStats.Partition partition) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("partition", partition.partition());
        document.put("total", partition.total());
        document.put("totalLeased", partition.totalLeased());
        document.put("scheduled", partition.scheduled());
        document.put("failures", partition.failures());
        document.put("averageAge", GoDuration.format(partition.averageAge()));
        document.put("averageLeasedAge", GoDuration.format(partition.averageLeasedAge()));
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
