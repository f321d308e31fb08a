package dev.leasehold.client;

import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.wire.QueueInfo;
import dev.leasehold.wire.QueueLeaseRequest;
import dev.leasehold.wire.QueueProduceItem;
import dev.leasehold.wire.QueueProduceRequest;
import dev.leasehold.wire.QueueRetryItem;
import dev.leasehold.wire.QueueRetryRequest;
import dev.leasehold.wire.QueueWithdrawRequest;
import dev.leasehold.wire.StorageItem;
import dev.leasehold.wire.StorageItemsListRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Builds the calls of the Querator API whose messages take more than a line. */
final class QueueCalls {
    private QueueCalls() {}

    static HttpCall of(String path, Message message) {
        return HttpCall.of("/v1/" + path, HttpReply.PROTOBUF, message.toByteArray());
    }

    static HttpCall produce(String queue, ProduceRequest request) {
        Message message = QueueProduceRequest.newBuilder()
                .setQueueName(queue)
                .setRequestTimeout(GoDuration.format(request.timeout()))
                .addAllItems(request.items().stream().map(QueueCalls::item).toList())
                .build();
        return of("queue.produce", message)
                .patience(request.timeout())
                .header("Leasehold-Details", "true")
                .header("Leasehold-Strict", Boolean.toString(isStrict(request)));
    }

    /** Whether the server is to refuse items that would expire before they are ready. */
    private static boolean isStrict(ProduceRequest request) {
        return request.items().stream()
                .noneMatch(item ->
                        !(item.when() instanceof When.Now) && item.when().isLenient());
    }

    private static QueueProduceItem item(NewItem item) {
        QueueProduceItem.Builder wire = QueueProduceItem.newBuilder()
                .setEncoding(item.encoding())
                .setKind(item.kind())
                .setReference(item.reference())
                .setBytes(UnsafeByteOperations.unsafeWrap(item.payload()));
        if (item.when() instanceof When.At at) {
            wire.setEnqueueAt(timestamp(at.moment()));
        } else if (item.when() instanceof When.After after) {
            wire.setEnqueueAfter(GoDuration.format(after.delay()));
        }
        return wire.build();
    }

    static HttpCall lease(String queue, LeaseRequest request) {
        Message message = QueueLeaseRequest.newBuilder()
                .setQueueName(queue)
                .setClientId(request.clientId())
                .setBatchSize(request.batchSize())
                .setRequestTimeout(GoDuration.format(request.timeout()))
                .build();
        return of("queue.lease", message).parked(request.timeout());
    }

    static HttpCall withdraw(String queue, String clientId) {
        return of(
                "queue.withdraw",
                QueueWithdrawRequest.newBuilder()
                        .setQueueName(queue)
                        .setClientId(clientId)
                        .build());
    }

    static HttpCall retry(String queue, int partition, List<RetryItem> items) {
        Message message = QueueRetryRequest.newBuilder()
                .setQueueName(queue)
                .setPartition(partition)
                .addAllItems(items.stream().map(QueueCalls::retry).toList())
                .build();
        return of("queue.retry", message);
    }

    private static QueueRetryItem retry(RetryItem item) {
        QueueRetryItem.Builder wire =
                QueueRetryItem.newBuilder().setId(item.id().value()).setDead(item.dead());
        if (item.when() instanceof When.At at) {
            wire.setRetryAt(timestamp(at.moment()));
        } else if (item.when() instanceof When.After after) {
            wire.setRetryAfter(GoDuration.format(after.delay()));
        }
        return wire.build();
    }

    static Message config(QueueConfig config) {
        return QueueInfo.newBuilder()
                .setQueueName(config.name())
                .setNamespace(config.namespace())
                .setLeaseTimeout(GoDuration.format(config.leaseTimeout()))
                .setExpireTimeout(GoDuration.format(config.expireTimeout()))
                .setMaxAttempts(config.maxAttempts())
                .setDeadQueue(config.deadQueue())
                .setReference(config.reference())
                .setRequestedPartitions(config.partitions())
                .build();
    }

    static Message update(QueueUpdate update) {
        return QueueInfo.newBuilder()
                .setQueueName(update.name())
                .setLeaseTimeout(orKept(update.leaseTimeout()))
                .setExpireTimeout(orKept(update.expireTimeout()))
                .setMaxAttempts(update.maxAttempts())
                .setDeadQueue(update.deadQueue())
                .setReference(update.reference())
                .setRequestedPartitions(update.partitions())
                .build();
    }

    private static String orKept(Duration timeout) {
        return timeout.isZero() ? "" : GoDuration.format(timeout);
    }

    static Message listing(String queue, ItemListing listing) {
        ItemId pivot = listing.pivot();
        return StorageItemsListRequest.newBuilder()
                .setQueueName(queue)
                .setPartition(listing.partition())
                .setPivot(pivot == null ? "" : pivot.value())
                .setLimit(listing.limit())
                .build();
    }

    static StorageItem stored(StoredItem item) {
        StorageItem.Builder wire = StorageItem.newBuilder()
                .setIsLeased(item.isLeased())
                .setAttempts(item.attempts())
                .setMaxAttempts(item.maxAttempts())
                .setReference(item.reference())
                .setEncoding(item.encoding())
                .setKind(item.kind())
                .setPayload(UnsafeByteOperations.unsafeWrap(item.payload()));
        if (item.sourceId() != null) {
            wire.setSourceId(item.sourceId());
        }
        if (item.leaseDeadline() != null) {
            wire.setLeaseDeadline(timestamp(item.leaseDeadline()));
        }
        if (item.expireDeadline() != null) {
            wire.setExpireDeadline(timestamp(item.expireDeadline()));
        }
        if (item.createdAt() != null) {
            wire.setCreatedAt(timestamp(item.createdAt()));
        }
        if (item.enqueueAt() != null) {
            wire.setEnqueueAt(timestamp(item.enqueueAt()));
        }
        return wire.build();
    }

    static List<String> texts(List<ItemId> ids) {
        return ids.stream().map(ItemId::value).toList();
    }

    private static Timestamp timestamp(Instant moment) {
        return Timestamp.newBuilder()
                .setSeconds(moment.getEpochSecond())
                .setNanos(moment.getNano())
                .build();
    }
}
