package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A partition is first in, first out: of two items, the one that was certainly ready first is not leased certainly second.
 *
 * <p>A turn of an item begins with its produce; with a retry, which puts it at the tail; or, if its lease ends without a word, some
 * time after that. Of scheduled ones it is only known that they are not ready before they were asked for. An item may have been
 * passed over because a {@link LeaseInDoubt} had it for a moment. If its id shows that it was not given back since it was ready, that
 * counts only during faults.
 */
final class PartitionOrder implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        turns(calls.items()).forEach((partition, turns) -> {
            List<Pair> pairs = pairs(turns);
            List<LeaseInDoubt> doubts = pairs.isEmpty() ? List.of() : LeaseInDoubt.of(calls, partition.queue());
            pairs.stream()
                    .distinct()
                    .filter(pair -> doubts.stream().noneMatch(pair::mayBeExplainedBy))
                    .forEach(pair -> found.add(violation(partition, pair)));
        });
        return found;
    }

    private Violation violation(Partition partition, Pair pair) {
        return violation(
                "partition " + partition.number() + " of queue '" + partition.queue() + "': item "
                        + pair.first().payload() + " was ready before item "
                        + pair.second().payload() + " and was leased after it",
                pair.first().readyCall(),
                pair.second().readyCall(),
                pair.second().taken(),
                pair.first().taken());
    }

    private static Map<Partition, List<Turning>> turns(Items items) {
        Map<Partition, List<Turning>> turns = new LinkedHashMap<>();
        for (Story story : items.stories()) {
            Map<String, Optional<Step>> firsts = story.leases.stream()
                    .collect(Collectors.groupingBy(
                            step -> step.queue() + " " + step.item().attempts(),
                            LinkedHashMap::new,
                            Collectors.minBy(
                                    Comparator.comparingLong(step -> step.call().began()))));
            firsts.values()
                    .forEach(first -> first.map(lease -> turn(story, lease))
                            .ifPresent(turn -> turns.computeIfAbsent(turn.partition(), p -> new ArrayList<>())
                                    .add(turn)));
        }
        return turns;
    }

    private static @Nullable Turning turn(Story story, Step lease) {
        if (lease.call().invoke().facts().lastsNanos() == null) {
            return null; // a consumer leased it, nobody knows when
        }
        return lease.item().attempts() == 1
                ? story.produces.stream()
                        .filter(produce -> produce.queue().equals(lease.queue()))
                        .findFirst()
                        .map(produce ->
                                Turning.of(story, produce, produce.call().began(), lease))
                        .orElse(null)
                : again(story, lease);
    }

    private static @Nullable Turning again(Story story, Step lease) {
        Step before = story.leases.stream()
                .filter(step -> step.queue().equals(lease.queue())
                        && step.item().attempts() == lease.item().attempts() - 1)
                .reduce((one, other) -> other)
                .orElse(null);
        if (before == null) {
            return null;
        }
        long lapsed = story.holding(before).until();
        return story.under(before).stream()
                .filter(step ->
                        step.operation() == Operation.RETRY && step.call().maybe())
                .findFirst()
                .map(retry ->
                        Turning.of(story, retry, Math.min(lapsed, retry.call().began()), lease))
                .orElseGet(() -> Turning.lapsed(story, before, lapsed, lease));
    }

    /** All pairs that are in the wrong order, but only one for each second item. */
    private static List<Pair> pairs(List<Turning> turns) {
        List<Pair> pairs = new ArrayList<>();
        overTime(turns, turns, pairs);
        overTime(turns.stream().filter(turn -> !turn.mayHaveBeenHeld).toList(), turns, pairs);
        turns.stream()
                .collect(Collectors.groupingBy(turn -> turn.taken().invoke().sequence()))
                .values()
                .forEach(batch -> inOneLease(batch, pairs));
        turns.stream()
                .filter(turn -> turn.isWhole)
                .collect(Collectors.groupingBy(turn -> turn.readyCall().invoke().sequence()))
                .values()
                .forEach(batch -> inOneProduce(batch, pairs));
        return pairs;
    }

    /** Each item against that one of {@code firsts} certainly ready before it that was leased last. */
    private static void overTime(List<Turning> firsts, List<Turning> turns, List<Pair> pairs) {
        List<Turning> byReady = sorted(firsts, Comparator.comparingLong(Turning::readyUntil));
        Turning last = null;
        int ready = 0;
        for (Turning second : sorted(turns, Comparator.comparingLong(Turning::readyFrom))) {
            while (ready < byReady.size() && byReady.get(ready).readyUntil() < second.readyFrom()) {
                last = laterTaken(last, byReady.get(ready++));
            }
            if (last != null && second.taken().isBefore(last.taken())) {
                pairs.add(new Pair(last, second));
            }
        }
    }

    private static Turning laterTaken(@Nullable Turning one, Turning other) {
        return one != null && one.taken().began() >= other.taken().began() ? one : other;
    }

    private static void inOneLease(List<Turning> batch, List<Pair> pairs) {
        Turning latest = null;
        for (Turning next : sorted(batch, Comparator.comparingInt(Turning::takenPlace))) {
            if (latest != null && next.readyUntil() < latest.readyFrom()) {
                pairs.add(new Pair(next, latest));
            }
            latest = latest != null && latest.readyFrom() >= next.readyFrom() ? latest : next;
        }
    }

    private static void inOneProduce(List<Turning> batch, List<Pair> pairs) {
        Turning last = null;
        for (Turning next : sorted(batch, Comparator.comparingInt(Turning::readyPlace))) {
            if (last != null && next.isTakenBefore(last)) {
                pairs.add(new Pair(last, next));
            }
            last = laterTaken(last, next);
        }
    }

    private static List<Turning> sorted(List<Turning> turns, Comparator<Turning> order) {
        return turns.stream().sorted(order).toList();
    }

    private record Partition(String queue, int number) {}

    /** Two turns, of which the first was ready first and leased second. */
    private record Pair(Turning first, Turning second) {
        boolean mayBeExplainedBy(LeaseInDoubt lease) {
            return lease.mayExplain(second.taken(), first.mayHaveBeenHeld());
        }
    }

    /**
     * One turn of an item: ready at some time from, until; then taken by a lease.
     *
     * @param isWhole whether the items of the call that made it ready became ready in their order
     * @param mayHaveBeenHeld whether somebody may have leased it in vain before it was taken
     */
    private record Turning(
            String payload,
            Call readyCall,
            int readyPlace,
            long readyFrom,
            long readyUntil,
            boolean isWhole,
            Call taken,
            int takenPlace,
            boolean mayHaveBeenHeld) {

        /** Ready by a call: at once, or if it was meant for later, some time until it was leased. */
        static Turning of(Story story, Step ready, long from, Step lease) {
            boolean isAtOnce = ready.item().turn() == Turn.NOW;
            long until = isAtOnce ? ready.call().done() : Long.MAX_VALUE;
            boolean isWhole = isAtOnce && ready.operation() == Operation.PRODUCE;
            int place = ready.call().invoke().facts().items().indexOf(ready.item());
            String id = ready.operation() == Operation.PRODUCE
                    ? toldId(ready.call(), place)
                    : ready.item().id();
            return make(story, ready.call(), place, from, until, isWhole, id, lease);
        }

        /** The id that a produce was told, if it was. */
        private static @Nullable String toldId(Call produce, int place) {
            List<ItemFacts> told = Items.found(produce);
            return place < told.size() ? told.get(place).id() : null;
        }

        /** Ready because the lease before had ended, some time after that. */
        static Turning lapsed(Story story, Step before, long from, Step lease) {
            String id = before.item().id();
            return make(story, before.call(), 0, from, Long.MAX_VALUE, false, id, lease);
        }

        private static Turning make(
                Story story,
                Call ready,
                int place,
                long from,
                long until,
                boolean isWhole,
                @Nullable String id,
                Step lease) {
            Call taken = lease.call();
            return new Turning(
                    story.payload,
                    ready,
                    place,
                    from,
                    Math.min(until, taken.done()),
                    isWhole,
                    taken,
                    Items.found(taken).indexOf(lease.item()),
                    GiveBacks.maybeBetween(id, lease.item().id()));
        }

        Partition partition() {
            Event end = taken.end();
            Integer number = end == null ? null : end.facts().partition();
            return new Partition(taken.subject(), number == null ? 0 : number);
        }

        boolean isTakenBefore(Turning other) {
            return taken.isSame(other.taken) ? takenPlace < other.takenPlace : taken.isBefore(other.taken);
        }
    }
}
