package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
 * passed over because a lease that came to nothing had it for a moment: where there was one, nothing is concluded.
 */
final class PartitionOrder implements Invariant {
    /** How long a lease that failed may have its hands on an item afterwards: until its transaction has ended, or it was given back. */
    private static final long LINGER_NANOS = 10_000_000_000L;

    @Override
    public List<Violation> check(Calls calls) {
        Items items = calls.items();
        Map<String, Long> lastHeard = new HashMap<>();
        calls.all().forEach(call -> lastHeard.merge(call.invoke().node(), call.began(), Math::max));
        List<Violation> found = new ArrayList<>();
        turns(items).forEach((partition, turns) -> {
            List<Obstacle> obstacles = items.doubtfulLeases(partition.queue()).stream()
                    .map(call -> Obstacle.of(call, lastHeard))
                    .toList();
            pairs(turns).stream()
                    .filter(pair -> obstacles.stream().noneMatch(obstacle -> obstacle.excuses(pair)))
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
        overTime(turns, pairs);
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

    /** Each item against that one of those certainly ready before it that was leased last. */
    private static void overTime(List<Turning> turns, List<Pair> pairs) {
        List<Turning> byReady = sorted(turns, Comparator.comparingLong(Turning::readyUntil));
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
    private record Pair(Turning first, Turning second) {}

    /**
     * One turn of an item: ready at some time from, until; then taken by a lease.
     *
     * @param isWhole whether the items of the call that made it ready became ready in their order
     */
    private record Turning(
            String payload,
            Call readyCall,
            int readyPlace,
            long readyFrom,
            long readyUntil,
            boolean isWhole,
            Call taken,
            int takenPlace) {

        /** Ready by a call: at once, or if it was meant for later, some time until it was leased. */
        static Turning of(Story story, Step ready, long from, Step lease) {
            boolean isAtOnce = ready.item().turn() == Turn.NOW;
            long until = isAtOnce ? ready.call().done() : Long.MAX_VALUE;
            boolean isWhole = isAtOnce && ready.operation() == Operation.PRODUCE;
            int place = ready.call().invoke().facts().items().indexOf(ready.item());
            return make(story, ready.call(), place, from, until, isWhole, lease);
        }

        /** Ready because the lease before had ended, some time after that. */
        static Turning lapsed(Story story, Step before, long from, Step lease) {
            return make(story, before.call(), 0, from, Long.MAX_VALUE, false, lease);
        }

        private static Turning make(
                Story story, Call ready, int place, long from, long until, boolean isWhole, Step lease) {
            Call taken = lease.call();
            return new Turning(
                    story.payload,
                    ready,
                    place,
                    from,
                    Math.min(until, taken.done()),
                    isWhole,
                    taken,
                    Items.found(taken).indexOf(lease.item()));
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

    /** A lease that came to nothing, as far as is known, and when it may have had its hands on items. */
    private record Obstacle(long from, long until) {
        static Obstacle of(Call lease, Map<String, Long> lastHeard) {
            Event end = lease.end();
            long over = end != null
                    ? end.nanos()
                    : lastHeard.getOrDefault(lease.invoke().node(), lease.began());
            return new Obstacle(lease.began(), over + LINGER_NANOS);
        }

        boolean excuses(Pair pair) {
            return from < pair.second().taken().done()
                    && until > pair.second().taken().began();
        }
    }
}
