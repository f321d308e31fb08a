package dev.leasehold.client;

import com.google.protobuf.Timestamp;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.wire.QueueExtendResponse;
import dev.leasehold.wire.QueueLeaseItem;
import dev.leasehold.wire.QueueLeaseResponse;
import dev.leasehold.wire.QueueLogicalStats;
import dev.leasehold.wire.QueuePartitionStats;
import dev.leasehold.wire.QueueStatsResponse;
import dev.leasehold.wire.QueuesListResponse;
import dev.leasehold.wire.Reply;
import dev.leasehold.wire.StorageItem;
import dev.leasehold.wire.StorageItemsImportResponse;
import dev.leasehold.wire.StorageItemsListResponse;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes successful replies of the Querator API. */
final class QueueDecoder {
    /** What the server sends for "no time": the beginning of the year 1. */
    private static final long NO_TIME = -62_135_596_800L;

    private QueueDecoder() {}

    /** A reply without content. */
    @SuppressWarnings("NullAway") // the only value of Void
    static Void done(HttpReply reply) {
        QueueReplies.message(reply, Reply.parser());
        return null;
    }

    static Produced produced(HttpReply reply) {
        Reply message = QueueReplies.message(reply, Reply.parser());
        String partition = message.getDetailsOrDefault("partition", "");
        if (partition.isEmpty()) {
            throw new QueueException(
                    QueueErrorCode.INTERNAL,
                    "The items were produced, but the server does not say where: is it another version?");
        }
        List<ItemId> ids = Arrays.stream(message.getDetailsOrDefault("ids", "").split(",", -1))
                .map(ItemId::new)
                .toList();
        return new Produced(Integer.parseInt(partition), ids);
    }

    static LeasedBatch leased(String queue, HttpReply reply) {
        if (QueueReplies.isNothing(reply)) {
            return new LeasedBatch(queue, 0, List.of());
        }
        QueueLeaseResponse response = QueueReplies.message(reply, QueueLeaseResponse.parser());
        int partition = response.getPartition();
        return new LeasedBatch(
                queue,
                partition,
                response.getItemsList().stream()
                        .map(item -> leased(partition, item))
                        .toList());
    }

    private static LeasedItem leased(int partition, QueueLeaseItem item) {
        return new LeasedItem(
                new ItemId(item.getId()),
                partition,
                item.getAttempts(),
                instant(item.getLeaseDeadline()),
                item.getReference(),
                item.getEncoding(),
                item.getKind(),
                item.getBytes().toByteArray());
    }

    static Instant deadline(HttpReply reply) {
        return instant(QueueReplies.message(reply, QueueExtendResponse.parser()).getLeaseDeadline());
    }

    static QueueInfo info(HttpReply reply) {
        return info(QueueReplies.message(reply, dev.leasehold.wire.QueueInfo.parser()));
    }

    static List<QueueInfo> infos(HttpReply reply) {
        return QueueReplies.message(reply, QueuesListResponse.parser()).getItemsList().stream()
                .map(QueueDecoder::info)
                .toList();
    }

    private static QueueInfo info(dev.leasehold.wire.QueueInfo info) {
        QueueConfig config = new QueueConfig(
                info.getQueueName(),
                info.getNamespace(),
                GoDuration.parse(info.getLeaseTimeout()),
                GoDuration.parse(info.getExpireTimeout()),
                info.getMaxAttempts(),
                info.getDeadQueue(),
                info.getReference(),
                info.getRequestedPartitions());
        return new QueueInfo(config, instant(info.getCreatedAt()), instant(info.getUpdatedAt()));
    }

    static List<StoredItem> listed(HttpReply reply) {
        return items(
                QueueReplies.message(reply, StorageItemsListResponse.parser()).getItemsList());
    }

    static List<StoredItem> imported(HttpReply reply) {
        return items(
                QueueReplies.message(reply, StorageItemsImportResponse.parser()).getItemsList());
    }

    private static List<StoredItem> items(List<StorageItem> items) {
        return items.stream().map(QueueDecoder::item).toList();
    }

    private static StoredItem item(StorageItem item) {
        return new StoredItem(
                item.getId().isEmpty() ? null : new ItemId(item.getId()),
                item.getSourceId(),
                item.getIsLeased(),
                item.getIsLeased() ? time(item.getLeaseDeadline()) : null,
                item.hasExpireDeadline() ? time(item.getExpireDeadline()) : null,
                item.hasCreatedAt() ? time(item.getCreatedAt()) : null,
                item.hasEnqueueAt() ? time(item.getEnqueueAt()) : null,
                item.getAttempts(),
                item.getMaxAttempts(),
                item.getReference(),
                item.getEncoding(),
                item.getKind(),
                item.getPayload().toByteArray());
    }

    static QueueStats stats(HttpReply reply) {
        QueueStatsResponse response = QueueReplies.message(reply, QueueStatsResponse.parser());
        QueueLogicalStats logical = response.getLogicalQueuesCount() == 0
                ? QueueLogicalStats.getDefaultInstance()
                : response.getLogicalQueues(0);
        return new QueueStats(
                response.getQueueName(),
                logical.getProduceWaiting(),
                logical.getLeaseWaiting(),
                logical.getCompleteWaiting(),
                logical.getInFlight(),
                logical.getPartitionsList().stream()
                        .map(QueueDecoder::partition)
                        .toList());
    }

    private static QueueStats.Partition partition(QueuePartitionStats stats) {
        return new QueueStats.Partition(
                stats.getPartition(),
                stats.getTotal(),
                stats.getTotalLeased(),
                stats.getScheduled(),
                stats.getFailures(),
                GoDuration.parse(stats.getAverageAge()),
                GoDuration.parse(stats.getAverageLeasedAge()),
                stats.getOldestReady().isEmpty() ? null : GoDuration.parse(stats.getOldestReady()));
    }

    private static @Nullable Instant time(Timestamp timestamp) {
        return timestamp.getSeconds() == NO_TIME ? null : instant(timestamp);
    }

    private static Instant instant(Timestamp timestamp) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
    }
}
