package dev.leasehold.server.queue;

import com.google.protobuf.ByteString;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
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
import dev.leasehold.wire.StorageItem;
import dev.leasehold.wire.StorageItemsListRequest;
import java.time.Duration;
import java.util.List;

/** Converts messages to requests of the library. Validates in the order of Querator. */
final class FromWire {
    private FromWire() {}

    /** @param isStrict whether an item is refused that would expire before it is ready; Querator takes it */
    static ProduceRequest produce(QueueProduceRequest wire, boolean isStrict) {
        Duration timeout = QueueRules.parseRequestTimeout(wire.getRequestTimeout());
        QueueRules.produceTimeout(timeout);
        QueueRules.produceBatch(wire.getItemsCount());
        return new ProduceRequest(
                wire.getItemsList().stream()
                        .map(FromWire::item)
                        .map(item -> isStrict ? item : item.when(item.when().lenient()))
                        .toList(),
                timeout);
    }

    private static NewItem item(QueueProduceItem wire) {
        ByteString payload = wire.getBytes().isEmpty() ? wire.getUtf8Bytes() : wire.getBytes();
        When when = wire.hasEnqueueAt()
                ? When.at(WireTimes.instant("enqueue_at", wire.getEnqueueAt()))
                : after("enqueue_after", wire.getEnqueueAfter());
        return new NewItem(payload.toByteArray(), wire.getEncoding(), wire.getKind(), wire.getReference(), when);
    }

    static LeaseRequest lease(QueueLeaseRequest wire) {
        Duration timeout = QueueRules.parseRequestTimeout(wire.getRequestTimeout());
        return new LeaseRequest(wire.getClientId(), wire.getBatchSize(), timeout);
    }

    static List<RetryItem> retries(List<QueueRetryItem> wire) {
        QueueRules.retries(wire.size());
        return wire.stream().map(FromWire::retry).toList();
    }

    private static RetryItem retry(QueueRetryItem wire) {
        When when = wire.hasRetryAt()
                ? When.at(WireTimes.instant("retry_at", wire.getRetryAt()))
                : after("retry_after", wire.getRetryAfter());
        return new RetryItem(new ItemId(wire.getId()), when, wire.getDead());
    }

    private static When after(String field, String text) {
        if (text.isEmpty()) {
            return When.now();
        }
        try {
            return When.after(GoDuration.parse(text));
        } catch (IllegalArgumentException e) {
            throw QueueException.invalidArgument(field + " is invalid; " + e.getMessage());
        }
    }

    static List<ItemId> ids(List<String> wire) {
        return wire.stream().map(ItemId::new).toList();
    }

    /** Validates the texts of a queue, before the permission is checked. */
    static void checkTexts(QueueInfo wire) {
        QueueRules.name(wire.getQueueName());
        QueueRules.timeoutText("lease timeout", wire.getLeaseTimeout());
        QueueRules.timeoutText("expire timeout", wire.getExpireTimeout());
        QueueRules.parseExpireTimeout(wire.getExpireTimeout());
        QueueRules.parseLeaseTimeout(wire.getLeaseTimeout());
        if (!wire.getNamespace().isEmpty()) {
            QueueRules.namespace(wire.getNamespace());
        }
    }

    static QueueConfig config(QueueInfo wire) {
        QueueConfig config = new QueueConfig(
                wire.getQueueName(),
                wire.getNamespace(),
                QueueRules.parseLeaseTimeout(wire.getLeaseTimeout()),
                QueueRules.parseExpireTimeout(wire.getExpireTimeout()),
                wire.getMaxAttempts(),
                wire.getDeadQueue(),
                wire.getReference(),
                wire.getRequestedPartitions());
        return config.hasDeadQueue() ? config : config.discardDead(); // Querator creates no dead queues by itself
    }

    static QueueUpdate update(QueueInfo wire) {
        return new QueueUpdate(
                wire.getQueueName(),
                QueueRules.parseLeaseTimeout(wire.getLeaseTimeout()),
                QueueRules.parseExpireTimeout(wire.getExpireTimeout()),
                wire.getMaxAttempts(),
                wire.getDeadQueue(),
                wire.getReference(),
                wire.getRequestedPartitions());
    }

    static ItemListing listing(StorageItemsListRequest wire) {
        ItemId pivot = wire.getPivot().isEmpty() ? null : new ItemId(wire.getPivot());
        return new ItemListing(wire.getPartition(), pivot, wire.getLimit());
    }

    static List<StoredItem> items(List<StorageItem> wire) {
        QueueRules.importBatch(wire.size());
        return wire.stream().map(FromWire::stored).toList();
    }

    private static StoredItem stored(StorageItem wire) {
        return new StoredItem(
                null,
                wire.getSourceId(),
                wire.getIsLeased(),
                wire.hasLeaseDeadline() ? WireTimes.instant("lease_deadline", wire.getLeaseDeadline()) : null,
                wire.hasExpireDeadline() ? WireTimes.instant("expire_deadline", wire.getExpireDeadline()) : null,
                null,
                null,
                wire.getAttempts(),
                wire.getMaxAttempts(),
                wire.getReference(),
                wire.getEncoding(),
                wire.getKind(),
                wire.getPayload().toByteArray());
    }
}
