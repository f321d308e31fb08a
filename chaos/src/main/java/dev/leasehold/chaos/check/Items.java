package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What happened to the items of all queues, item by item. */
final class Items {
    private final Map<String, Story> stories = new LinkedHashMap<>();
    private final Map<String, QueueFacts> queues = new HashMap<>();
    private final Map<String, Call> left = new HashMap<>();
    private final Map<String, List<Call>> doubtfulLeases = new HashMap<>();
    private final Map<String, List<Call>> answeredLeases = new HashMap<>();
    private final List<Call> faults = new ArrayList<>();
    private final Map<String, long[]> hiddenBegins = new HashMap<>();
    private final Map<String, Boolean> consumed = new HashMap<>();

    private Items() {}

    static Items of(List<Call> calls) {
        Items items = new Items();
        calls.forEach(items::add);
        items.left.values().forEach(items::addLeft);
        return items;
    }

    private void add(Call call) {
        switch (call.operation()) {
            case PRODUCE ->
                call.invoke()
                        .facts()
                        .items()
                        .forEach(item -> story(item).produces.add(step(call, item)));
            case COMPLETE, RETRY, GIVE_BACK, EXTEND_LEASE ->
                call.invoke()
                        .facts()
                        .items()
                        .forEach(item -> story(item).settlements.add(step(call, item)));
            case LEASE -> addLease(call);
            case LEFT -> left.merge(call.subject(), call, Items::later);
            case CREATE_QUEUE -> addQueue(call);
            case FAULT -> faults.add(call);
            default -> {}
        }
    }

    private void addLease(Call call) {
        if (call.invoke().facts().lastsNanos() == null) {
            consumed.put(call.subject(), true);
        }
        if (call.isOk()) {
            found(call).forEach(item -> story(item).leases.add(step(call, item)));
            answeredLeases
                    .computeIfAbsent(call.subject(), q -> new ArrayList<>())
                    .add(call);
        } else {
            doubtfulLeases
                    .computeIfAbsent(call.subject(), q -> new ArrayList<>())
                    .add(call);
        }
    }

    /** The later of two looks that succeeded: only the last counts. */
    private static Call later(Call one, Call other) {
        return other.isOk() ? other : one;
    }

    private void addLeft(Call call) {
        if (call.isOk()) {
            found(call).forEach(item -> story(item).left.add(step(call, item)));
        }
    }

    private void addQueue(Call call) {
        Event end = call.end();
        if (call.isOk() && end != null && end.facts().queue() != null) {
            queues.put(call.subject(), end.facts().queue());
        }
    }

    private Story story(ItemFacts item) {
        return stories.computeIfAbsent(item.payload(), Story::new);
    }

    private static Step step(Call call, ItemFacts item) {
        return new Step(call, item);
    }

    /** The items that a call was answered with. */
    static List<ItemFacts> found(Call call) {
        Event end = call.end();
        return end == null ? List.of() : end.facts().items();
    }

    Iterable<Story> stories() {
        return stories.values();
    }

    /** How a queue was set up, if that is known. */
    @Nullable QueueFacts queue(String name) {
        return queues.get(name);
    }

    /** What was in a queue when all was over, if somebody looked. */
    @Nullable Call left(String queue) {
        Call last = left.get(queue);
        return last != null && last.isOk() ? last : null;
    }

    /** Leases of a queue that may have leased something that nobody knows of. */
    List<Call> doubtfulLeases(String queue) {
        return doubtfulLeases.getOrDefault(queue, List.of());
    }

    /** Whether consumers work at this queue, who lease more than they are heard of. */
    boolean isConsumed(String queue) {
        return consumed.containsKey(queue);
    }

    /** How many leases of this queue that began before then may have been of an item without anybody knowing. */
    int hiddenLeases(String queue, long before) {
        long[] begins = hiddenBegins.computeIfAbsent(queue, this::hiddenBegins);
        int found = Arrays.binarySearch(begins, before);
        return found >= 0 ? found : -found - 1;
    }

    /** When each of the leases of a queue may have begun of which nobody knows, in their order. */
    private long[] hiddenBegins(String queue) {
        LongStream doubtful = doubtfulLeases(queue).stream().filter(Call::maybe).mapToLong(Call::began);
        LongStream behind =
                answeredLeases.getOrDefault(queue, List.of()).stream().flatMapToLong(this::hiddenBehind);
        return LongStream.concat(doubtful, behind).sorted().toArray();
    }

    /**
     * The leases that may be hidden behind a call that was answered in the end. While it waits, the node leases for it; if a fault takes
     * the reply of such a lease, the item is leased to nobody until its deadline, and the node tries again.
     */
    private LongStream hiddenBehind(Call lease) {
        Long lasts = lease.invoke().facts().lastsNanos();
        long step = lasts == null ? Long.MAX_VALUE : lasts;
        return faults.stream().flatMapToLong(fault -> {
            long from = Math.max(lease.began(), fault.began());
            long until = Math.min(lease.done(), fault.done());
            return from < until
                    ? LongStream.rangeClosed(0, (until - from) / step).map(i -> from + i * step)
                    : LongStream.empty();
        });
    }

    /** A call as far as it concerned one item. */
    record Step(Call call, ItemFacts item) {
        String queue() {
            return call.subject();
        }

        Operation operation() {
            return call.operation();
        }

        /** Whether it is about the same turn of its item as the other. */
        boolean isSameId(Step other) {
            return item.id() != null && item.id().equals(other.item.id());
        }

        private boolean isOfWorker(Step lease) {
            Event mine = call.invoke();
            Event other = lease.call.invoke();
            return mine.node().equals(other.node())
                    && mine.worker().equals(other.worker())
                    && mine.nanos() >= other.nanos();
        }
    }

    /** All that happened to one item, in the order of invocation. */
    static final class Story {
        final String payload;
        final List<Step> produces = new ArrayList<>();
        final List<Step> leases = new ArrayList<>();
        final List<Step> settlements = new ArrayList<>();
        final List<Step> left = new ArrayList<>();

        Story(String payload) {
            this.payload = payload;
        }

        /** What was done under the id of a lease; by its own worker, if the id was good for another lease, too. */
        List<Step> under(Step lease) {
            boolean isOnly = leases.stream().filter(lease::isSameId).count() <= 1;
            return settlements.stream()
                    .filter(lease::isSameId)
                    .filter(step -> isOnly || step.isOfWorker(lease))
                    .toList();
        }

        Holding holding(Step lease) {
            return Holding.of(
                    lease.call(), under(lease).stream().map(Step::call).toList());
        }

        List<Step> of(Operation operation) {
            return settlements.stream()
                    .filter(step -> step.operation() == operation)
                    .toList();
        }
    }
}
