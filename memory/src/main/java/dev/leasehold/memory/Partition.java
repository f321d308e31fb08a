package dev.leasehold.memory;

import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.item.ItemId;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The items of one partition, in the order of their numbers, of which none is ever given twice. */
final class Partition {
    private final long uid;
    private final int number;
    private final NavigableMap<Long, Item> items = new TreeMap<>();
    private final Set<String> sourceIds = new HashSet<>();
    private long lastNumber;

    Partition(long uid, int number) {
        this.uid = uid;
        this.number = number;
    }

    Item appendReady(Content content, int attempts) {
        return append(Item.State.READY, content.expireDeadline(), attempts, content);
    }

    Item appendScheduled(Content content, Instant enqueueAt) {
        return append(Item.State.SCHEDULED, enqueueAt, 0, content);
    }

    Item appendLeased(Content content, int attempts, Instant deadline) {
        return append(Item.State.LEASED, deadline, attempts, content);
    }

    private Item append(Item.State state, Instant dueAt, int attempts, Content content) {
        ItemId id = new ItemId(Ksuid.encode(uid, number, ++lastNumber));
        Item item = new Item(lastNumber, id, state, dueAt, attempts, content);
        items.put(item.number(), item);
        if (content.sourceId() != null) {
            sourceIds.add(content.sourceId());
        }
        return item;
    }

    /** Makes an item ready at the tail: there it has a new id, and the old one is dead. */
    void moveToTail(Item item) {
        remove(item);
        appendReady(item.content(), item.attempts());
    }

    /** The item as it is from now on, in the place that it has. */
    Item replace(Item item) {
        items.put(item.number(), item);
        return item;
    }

    void remove(Item item) {
        items.remove(item.number());
        if (item.content().sourceId() != null) {
            sourceIds.remove(item.content().sourceId());
        }
    }

    void removeIf(Predicate<Item> condition) {
        where(condition).forEach(this::remove);
    }

    /** The item of that id; null if there is none, or it has another id by now. */
    @Nullable Item get(ItemId id) {
        Item item = items.get(Ksuid.number(id.value(), uid, number));
        return item != null && item.id().equals(id) ? item : null;
    }

    /** Makes a leased item ready in its place. */
    void giveBack(Item item) {
        int times = Ksuid.place(item.id().value(), uid, number).givenBack() + 1;
        replace(item.givenBack(new ItemId(Ksuid.encode(uid, number, item.number(), times % Ksuid.GIVEN_BACK_WRAP))));
    }

    boolean hasSource(@Nullable String sourceId) {
        return sourceId != null && sourceIds.contains(sourceId);
    }

    Stream<Item> stream() {
        return items.values().stream();
    }

    /** The items from {@code pivot} on. */
    Stream<Item> from(@Nullable ItemId pivot) {
        long first = pivot == null ? 0 : Ksuid.firstNumberFrom(pivot.value(), uid, number);
        return items.tailMap(first).values().stream();
    }

    /** A list of its own, so that its items can be moved while one walks through it. */
    List<Item> where(Predicate<Item> condition) {
        return stream().filter(condition).toList();
    }
}
