package dev.leasehold.memory;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.Portion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The transitions that callers ask for, at one instant. For retried and swept items see {@link Redelivery}. */
record Transitions(Partition partition, QueueConfig queue, Instant now) {
    List<ItemId> produce(List<NewItem> items) {
        items.forEach(this::refuseIfItExpiresFirst);
        return items.stream().map(item -> append(item).id()).toList();
    }

    private void refuseIfItExpiresFirst(NewItem item) {
        Instant ready = Deadlines.enqueueAt(item.when(), now);
        Instant expires = Deadlines.expiry(now, queue.expireTimeout());
        if (ready != null && !item.when().isLenient() && ready.isAfter(expires)) {
            throw QueueRules.expiresFirst(ready, expires);
        }
    }

    private Item append(NewItem item) {
        Content content = Content.of(item, now, queue.expireTimeout());
        Instant enqueueAt = Deadlines.enqueueAt(item.when(), now);
        return enqueueAt == null ? partition.appendReady(content, 0) : partition.appendScheduled(content, enqueueAt);
    }

    Leased lease(int number, Portion portion) {
        Instant deadline = Deadlines.after(now, queue.leaseTimeout());
        List<Item> ready = firstLeasable(portion.items());
        List<LeasedItem> leased = portion
                .cut(ready.iterator(), item -> item.asStored().weight(), 1)
                .stream()
                .map(item -> partition.replace(item.leased(deadline)).asLeased(number))
                .toList();
        Duration nextDue = leased.isEmpty() ? Inventory.nextDue(partition, now) : null;
        return new Leased(leased, nextDue, false, leased.size() < ready.size());
    }

    private List<Item> firstLeasable(int limit) {
        return partition.stream()
                .filter(item -> item.isLeasable(now))
                .limit(limit)
                .toList();
    }

    void complete(List<ItemId> ids) {
        allLeased(ids, "completed").forEach(partition::remove);
    }

    Instant extend(List<ItemId> ids, Duration leaseTimeout) {
        Instant deadline = Deadlines.after(now, leaseTimeout);
        allLeased(ids, "extended").forEach(item -> partition.replace(item.extended(deadline)));
        return deadline;
    }

    private List<Item> allLeased(List<ItemId> ids, String verb) {
        return ids.stream().distinct().map(id -> leased(id, verb)).toList();
    }

    /** The leased item of that id. A scheduled one counts as absent. */
    Item leased(ItemId id, String verb) {
        Item item = partition.get(id);
        if (item == null || item.isScheduled()) {
            throw new QueueException(QueueErrorCode.NO_SUCH_ITEM, "invalid storage id; '" + id + "' does not exist");
        }
        if (!item.isLeased()) {
            throw new QueueException(
                    QueueErrorCode.NOT_LEASED, "item(s) cannot be " + verb + "; '" + id + "' is not marked as leased");
        }
        return item;
    }

    void giveBack(List<ItemId> ids) {
        present(ids).filter(Item::isLeased).forEach(partition::giveBack);
    }

    void delete(List<ItemId> ids) {
        present(ids).forEach(partition::remove);
    }

    private Stream<Item> present(List<ItemId> ids) {
        return ids.stream().distinct().map(partition::get).filter(Objects::nonNull);
    }

    void clear(ClearRequest request) {
        partition.removeIf(item -> switch (item.state()) {
            case SCHEDULED -> request.scheduled();
            case READY -> request.queue();
            case LEASED -> request.queue() && request.destructive();
        });
    }

    List<StoredItem> importItems(List<StoredItem> items) {
        return items.stream().map(this::importItem).toList();
    }

    private StoredItem importItem(StoredItem item) {
        if (partition.hasSource(item.sourceId())) {
            return withoutId(item);
        }
        Content content = Content.of(item, now, queue.expireTimeout());
        Item stored = item.isLeased()
                ? partition.appendLeased(content, item.attempts(), deadline(item))
                : partition.appendReady(content, item.attempts());
        return stored.asStored();
    }

    private Instant deadline(StoredItem item) {
        Instant given = item.leaseDeadline();
        return given == null ? Deadlines.after(now, queue.leaseTimeout()) : given;
    }

    private static StoredItem withoutId(StoredItem item) {
        return new StoredItem(
                null,
                item.sourceId(),
                item.isLeased(),
                item.leaseDeadline(),
                item.expireDeadline(),
                item.createdAt(),
                item.enqueueAt(),
                item.attempts(),
                item.maxAttempts(),
                item.reference(),
                item.encoding(),
                item.kind(),
                item.payload());
    }
}
