package dev.leasehold.server.queue;

import com.google.protobuf.UnsafeByteOperations;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.wire.QueueLeaseItem;
import dev.leasehold.wire.QueueLeaseResponse;
import dev.leasehold.wire.QueueLogicalStats;
import dev.leasehold.wire.QueuePartitionStats;
import dev.leasehold.wire.QueueStatsResponse;
import dev.leasehold.wire.Reply;
import dev.leasehold.wire.StorageItem;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Converts results of the library to messages. */
final class ToWire {
    private ToWire() {}

    /** The answer to a produce for those who asked where their items went. */
    static Reply produced(Produced produced) {
        String ids = produced.ids().stream().map(ItemId::value).collect(Collectors.joining(","));
        return Reply.newBuilder()
                .setCode(200)
                .putDetails("partition", Integer.toString(produced.partition()))
                .putDetails("ids", ids)
                .build();
    }

    static QueueLeaseResponse leased(LeasedBatch batch) {
        return QueueLeaseResponse.newBuilder()
                .setQueueName(batch.queue())
                .setPartition(batch.partition())
                .addAllItems(batch.items().stream().map(ToWire::leased).toList())
                .build();
    }

    private static QueueLeaseItem leased(LeasedItem item) {
        return QueueLeaseItem.newBuilder()
                .setEncoding(item.encoding())
                .setKind(item.kind())
                .setReference(item.reference())
                .setId(item.id().value())
                .setAttempts(item.attempts())
                .setLeaseDeadline(WireTimes.of(item.leaseDeadline()))
                .setBytes(UnsafeByteOperations.unsafeWrap(item.payload()))
                .build();
    }

    static QueueStatsResponse stats(QueueStats stats) {
        QueueLogicalStats logical = QueueLogicalStats.newBuilder()
                .setProduceWaiting(stats.produceWaiting())
                .setLeaseWaiting(stats.leaseWaiting())
                .setCompleteWaiting(stats.completeWaiting())
                .setInFlight(stats.inFlight())
                .addAllPartitions(
                        stats.partitions().stream().map(ToWire::partition).toList())
                .build();
        return QueueStatsResponse.newBuilder()
                .setQueueName(stats.queue())
                .addLogicalQueues(logical)
                .build();
    }

    private static QueuePartitionStats partition(QueueStats.Partition partition) {
        Duration oldest = partition.oldestReady();
        return QueuePartitionStats.newBuilder()
                .setPartition(partition.partition())
                .setTotal(number(partition.total()))
                .setTotalLeased(number(partition.totalLeased()))
                .setScheduled(number(partition.scheduled()))
                .setFailures(partition.failures())
                .setAverageAge(GoDuration.format(partition.averageAge()))
                .setAverageLeasedAge(GoDuration.format(partition.averageLeasedAge()))
                .setOldestReady(oldest == null ? "" : GoDuration.format(oldest))
                .build();
    }

    private static int number(long count) {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    static dev.leasehold.wire.QueueInfo info(QueueInfo info) {
        QueueConfig config = info.config();
        return dev.leasehold.wire.QueueInfo.newBuilder()
                .setQueueName(config.name())
                .setCreatedAt(WireTimes.of(info.createdAt()))
                .setUpdatedAt(WireTimes.of(info.updatedAt()))
                .setDeadQueue(config.deadQueue())
                .setReference(config.reference())
                .setLeaseTimeout(GoDuration.format(config.leaseTimeout()))
                .setExpireTimeout(GoDuration.format(config.expireTimeout()))
                .setMaxAttempts(config.maxAttempts())
                .setRequestedPartitions(config.partitions())
                .setNamespace(config.namespace())
                .build();
    }

    static List<StorageItem> items(List<StoredItem> items) {
        return items.stream().map(item -> item(item).build()).toList();
    }

    /** An item; if it is not leased, its lease deadline is no time. */
    static StorageItem.Builder item(StoredItem item) {
        StorageItem.Builder wire = StorageItem.newBuilder()
                .setIsLeased(item.isLeased())
                .setLeaseDeadline(WireTimes.NONE)
                .setAttempts(item.attempts())
                .setMaxAttempts(item.maxAttempts())
                .setReference(item.reference())
                .setEncoding(item.encoding())
                .setKind(item.kind())
                .setPayload(UnsafeByteOperations.unsafeWrap(item.payload()));
        if (item.id() != null) {
            wire.setId(item.id().value());
        }
        if (item.sourceId() != null) {
            wire.setSourceId(item.sourceId());
        }
        addTimes(item, wire);
        return wire;
    }

    private static void addTimes(StoredItem item, StorageItem.Builder wire) {
        if (item.isLeased() && item.leaseDeadline() != null) {
            wire.setLeaseDeadline(WireTimes.of(item.leaseDeadline()));
        }
        if (item.expireDeadline() != null) {
            wire.setExpireDeadline(WireTimes.of(item.expireDeadline()));
        }
        if (item.createdAt() != null) {
            wire.setCreatedAt(WireTimes.of(item.createdAt()));
        }
        if (item.enqueueAt() != null) {
            wire.setEnqueueAt(WireTimes.of(item.enqueueAt()));
        }
    }
}
