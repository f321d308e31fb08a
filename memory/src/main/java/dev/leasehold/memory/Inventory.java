package dev.leasehold.memory;

import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.spi.ItemStore.Counts;
import dev.leasehold.queue.spi.ItemStore.Outlook;
import dev.leasehold.queue.spi.Portion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be said of the items of a partition without changing any. */
final class Inventory {
    /** A page that has an item beside its pivot, if there is one, leads on. */
    private static final int LEAST_PAGE = 2;

    private Inventory() {}

    static List<StoredItem> list(Partition partition, boolean scheduled, @Nullable ItemId pivot, Portion portion) {
        Stream<StoredItem> items = partition
                .from(pivot)
                .filter(item -> item.isScheduled() == scheduled)
                .map(Item::asStored);
        return portion.cut(items.iterator(), StoredItem::weight, LEAST_PAGE);
    }

    static Outlook look(Partition partition, Instant now) {
        int ready = partition.where(item -> item.isLeasable(now)).size();
        return new Outlook(ready, nextDue(partition, now));
    }

    static @Nullable Duration nextDue(Partition partition, Instant now) {
        return partition.stream()
                .map(item -> item.dueIn(now))
                .min(Duration::compareTo)
                .orElse(null);
    }

    static Counts count(Partition partition, Instant now) {
        List<Item> scheduled = partition.where(Item::isScheduled);
        List<Item> leased = partition.where(Item::isLeased);
        List<Item> all = partition.where(item -> !item.isScheduled());
        return new Counts(
                all.size(),
                leased.size(),
                scheduled.size(),
                average(all, item -> Duration.between(item.content().createdAt(), now)),
                average(leased, item -> Duration.between(now, item.dueAt())),
                oldest(all, now));
    }

    private static @Nullable Duration oldest(List<Item> items, Instant now) {
        return items.stream()
                .filter(item -> !item.isLeased())
                .map(item -> Duration.between(item.content().createdAt(), now))
                .max(Duration::compareTo)
                .orElse(null);
    }

    private static Duration average(List<Item> items, Function<Item, Duration> age) {
        Duration sum = items.stream().map(age).reduce(Duration.ZERO, Duration::plus);
        return items.isEmpty() ? sum : sum.dividedBy(items.size());
    }
}
