package dev.leasehold.client;

import com.google.protobuf.Timestamp;
import dev.leasehold.GoDuration;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.LeasedBatch;
import dev.leasehold.queue.LeasedItem;
import dev.leasehold.queue.Produced;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.QueueStats;
import dev.leasehold.queue.StoredItem;
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

/** What the queue door answers when it went well, in the words of the library. */
final class QueueReader {
    /** What the door says where there is no time: the beginning of the year 1. */
    private static final long NO_TIME = -62_135_596_800L;

    private QueueReader() {}

    /** An answer that has nothing else to say. */
    @SuppressWarnings("NullAway") // the only value of Void
    static Void done(Answer answer) {
        QueueAnswers.message(answer, Reply.parser());
        return null;
    }

    static Produced produced(Answer answer) {
        Reply reply = QueueAnswers.message(answer, Reply.parser());
        String partition = reply.getDetailsOrDefault("partition", "");
        if (partition.isEmpty()) {
            throw new QueueException(
                    QueueErrorCode.INTERNAL,
                    "The items were produced, but the server does not say where: is it another version?");
        }
        List<ItemId> ids = Arrays.stream(reply.getDetailsOrDefault("ids", "").split(",", -1))
                .map(ItemId::new)
                .toList();
        return new Produced(Integer.parseInt(partition), ids);
    }

    static LeasedBatch leased(String queue, Answer answer) {
        if (QueueAnswers.isNothing(answer)) {
            return new LeasedBatch(queue, 0, List.of());
        }
        QueueLeaseResponse response = QueueAnswers.message(answer, QueueLeaseResponse.parser());
        return new LeasedBatch(
                queue,
                response.getPartition(),
                response.getItemsList().stream().map(QueueReader::leased).toList());
    }

    private static LeasedItem leased(QueueLeaseItem item) {
        return new LeasedItem(
                new ItemId(item.getId()),
                item.getAttempts(),
                instant(item.getLeaseDeadline()),
                item.getReference(),
                item.getEncoding(),
                item.getKind(),
                item.getBytes().toByteArray());
    }

    static Instant deadline(Answer answer) {
        return instant(
                QueueAnswers.message(answer, QueueExtendResponse.parser()).getLeaseDeadline());
    }

    static QueueInfo info(Answer answer) {
        return info(QueueAnswers.message(answer, dev.leasehold.wire.QueueInfo.parser()));
    }

    static List<QueueInfo> infos(Answer answer) {
        return QueueAnswers.message(answer, QueuesListResponse.parser()).getItemsList().stream()
                .map(QueueReader::info)
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

    static List<StoredItem> listed(Answer answer) {
        return items(
                QueueAnswers.message(answer, StorageItemsListResponse.parser()).getItemsList());
    }

    static List<StoredItem> imported(Answer answer) {
        return items(QueueAnswers.message(answer, StorageItemsImportResponse.parser())
                .getItemsList());
    }

    private static List<StoredItem> items(List<StorageItem> items) {
        return items.stream().map(QueueReader::item).toList();
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

    static QueueStats stats(Answer answer) {
        QueueStatsResponse response = QueueAnswers.message(answer, QueueStatsResponse.parser());
        QueueLogicalStats logical = response.getLogicalQueuesCount() == 0
                ? QueueLogicalStats.getDefaultInstance()
                : response.getLogicalQueues(0);
        return new QueueStats(
                response.getQueueName(),
                logical.getProduceWaiting(),
                logical.getLeaseWaiting(),
                logical.getCompleteWaiting(),
                logical.getInFlight(),
                logical.getPartitionsList().stream().map(QueueReader::partition).toList());
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
                null);
    }

    private static @Nullable Instant time(Timestamp timestamp) {
        return timestamp.getSeconds() == NO_TIME ? null : instant(timestamp);
    }

    private static Instant instant(Timestamp timestamp) {
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
    }
}
