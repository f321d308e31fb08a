package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is in a fake queue: items that are ready, items that are leased, and the ids of those that were completed. */
final class FakeItems {
    private final Deque<Entry> ready = new ArrayDeque<>();
    private final Map<ItemId, Entry> leased = new HashMap<>();
    private final List<ItemId> completed = new ArrayList<>();
    private long number;

    private record Entry(int partition, LeasedItem item) {}

    synchronized List<ItemId> put(int partition, int attempts, int count) {
        List<ItemId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ItemId id = new ItemId(Ksuid.encode(1, partition, number++));
            byte[] payload = ("payload-" + id).getBytes(StandardCharsets.UTF_8);
            // a deadline of long ago: a consumer must not believe the clocks
            ready.add(new Entry(partition, new LeasedItem(id, attempts, Instant.EPOCH, "", "", "", payload)));
            ids.add(id);
        }
        return ids;
    }

    /** Leases items of one partition from the head. */
    synchronized LeasedBatch lease(String queue, int limit) {
        List<LeasedItem> items = new ArrayList<>();
        int partition = ready.isEmpty() ? 0 : ready.element().partition();
        while (!ready.isEmpty() && items.size() < limit && ready.element().partition() == partition) {
            Entry entry = ready.remove();
            leased.put(entry.item().id(), entry);
            items.add(entry.item());
        }
        return new LeasedBatch(queue, partition, items);
    }

    synchronized void complete(List<ItemId> ids) {
        end(ids);
        completed.addAll(ids);
    }

    /** Ends leases, all or none. */
    synchronized void end(List<ItemId> ids) {
        check(ids);
        ids.forEach(leased::remove);
    }

    synchronized void check(List<ItemId> ids) {
        for (ItemId id : ids) {
            if (!leased.containsKey(id)) {
                throw new QueueException(QueueErrorCode.NO_SUCH_ITEM, "no such item '" + id + "'");
            }
        }
    }

    synchronized void giveBack(List<ItemId> ids) {
        for (int i = ids.size() - 1; i >= 0; i--) {
            Entry entry = leased.remove(ids.get(i));
            if (entry != null) {
                ready.addFirst(entry);
            }
        }
    }

    synchronized List<ItemId> ready() {
        return ready.stream().map(entry -> entry.item().id()).toList();
    }

    synchronized int leasedCount() {
        return leased.size();
    }

    synchronized List<ItemId> completed() {
        return List.copyOf(completed);
    }
}
