package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whoever waits is woken: it does not happen that somebody who waited before a release, the end of a grant that nobody renews, or a
 * produce still waits a bound after it, while nobody else was served. So a wake-up that was lost shows, although the safety net serves the waiter in the end.
 *
 * <p>Faults are excepted, and the time of recovery after each: the bound counts from the first moment after the release that is
 * followed by so much time without them. Whoever lost a wake-up to a fault must be served then, too.
 *
 * <p>Nothing is concluded where a call of the same kind has an unknown outcome, which may have been served. One that had ended, or
 * whose process had, before the bound began to count does not matter: what it may have been given has ended within the bound, because
 * leases of the workloads are shorter.
 */
final class ServedInTime implements Invariant {
    /** How much longer than its ttl a grant is in force, with some to spare. */
    private static final long TOLERANCE = 2_000_000_000L;

    private final long boundNanos;
    private final long recoveryNanos;

    ServedInTime(long boundNanos, long recoveryNanos) {
        this.boundNanos = boundNanos;
        this.recoveryNanos = recoveryNanos;
    }

    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        check(calls, Operation.RELEASE, Operation.ACQUIRE, call -> true, found);
        checkLapsed(calls, found);
        check(calls, Operation.PRODUCE, Operation.LEASE, ServedInTime::isReadyAtOnce, found);
        return found;
    }

    /** A grant that is not renewed, extended, acquired again or released ends by itself, and whoever waits knows when. */
    private void checkLapsed(Calls calls, List<Violation> found) {
        Set<String> touched = calls.of(Operation.EXTEND, Operation.RELEASE, Operation.COMMIT)
                .map(call -> call.subject() + " " + call.invoke().facts().grant())
                .collect(Collectors.toSet());
        List<Call> faults = calls.of(Operation.FAULT).toList();
        Map<String, Long> lastSeen = lastSeen(calls);
        calls.bySubject(Operation.ACQUIRE).forEach((subject, all) -> {
            Line line = new Line(all, lastSeen);
            Map<String, Long> times =
                    all.stream().collect(Collectors.groupingBy(ServedInTime::grant, Collectors.counting()));
            all.stream()
                    .filter(call -> call.isOk() && !call.invoke().facts().renewed())
                    .filter(call -> times.getOrDefault(grant(call), 0L) == 1)
                    .filter(call -> !touched.contains(subject + " " + grant(call)))
                    .forEach(call -> check(lapse(call), line, faults, found));
        });
    }

    private static String grant(Call acquire) {
        Event end = acquire.end();
        return end == null ? "" : String.valueOf(end.facts().grant());
    }

    private static Freed lapse(Call acquire) {
        Long ttl = acquire.invoke().facts().lastsNanos();
        long time = ttl == null ? 0 : ttl;
        return new Freed(acquire, "the end of an ACQUIRE", acquire.began() + time, acquire.done() + time + TOLERANCE);
    }

    private static boolean isReadyAtOnce(Call produce) {
        return produce.invoke().facts().items().stream().anyMatch(item -> item.turn() == Turn.NOW);
    }

    private void check(Calls calls, Operation frees, Operation waits, Predicate<Call> counts, List<Violation> found) {
        List<Call> faults = calls.of(Operation.FAULT).toList();
        Map<String, Long> lastSeen = lastSeen(calls);
        Map<String, List<Call>> waiters = calls.bySubject(waits);
        calls.bySubject(frees).forEach((subject, all) -> {
            Line line = new Line(waiters.getOrDefault(subject, List.of()), lastSeen);
            all.stream()
                    .filter(free -> free.isOk() && counts.test(free))
                    .forEach(free -> check(Freed.by(free), line, faults, found));
        });
    }

    private void check(Freed freed, Line line, List<Call> faults, List<Violation> found) {
        long calm = calmAfter(freed.at(), faults);
        if (calm == Long.MAX_VALUE) {
            return;
        }
        long since = calm > freed.at() ? calm : freed.from();
        Call late = line.lateAfter(freed.from(), since, calm + boundNanos);
        if (late != null) {
            found.add(violation(sentence(freed, late), freed.why(), late));
        }
    }

    /**
     * Something that whoever waits is served after.
     *
     * @param from when it happened at the earliest
     * @param at when it had happened
     */
    private record Freed(Call why, String what, long from, long at) {
        static Freed by(Call call) {
            return new Freed(call, "a " + call.operation(), call.began(), call.done());
        }
    }

    /** When the first time without faults begins that is as long as the bound; never, if a fault did not end. */
    private long calmAfter(long freed, List<Call> faults) {
        long calm = freed;
        for (Call fault : faults) { // in the order in which they began
            long over = fault.done() == Long.MAX_VALUE ? Long.MAX_VALUE : fault.done() + recoveryNanos;
            if (fault.began() < calm + boundNanos && over > calm) {
                calm = over;
            }
            if (calm == Long.MAX_VALUE) {
                return calm;
            }
        }
        return calm;
    }

    /** The last that was heard of each process. */
    private static Map<String, Long> lastSeen(Calls calls) {
        Map<String, Long> seen = new HashMap<>();
        for (Call call : calls.all()) {
            Event end = call.end();
            seen.merge(call.invoke().node(), end == null ? call.began() : end.nanos(), Math::max);
        }
        return seen;
    }

    private String sentence(Freed freed, Call late) {
        return late.operation() + " of '" + late.subject() + "' by "
                + late.invoke().worker() + " was not served within " + boundNanos / 1_000_000 + " ms of "
                + freed.what() + " that it had waited for";
    }

    /** Those who waited for one subject. */
    private static final class Line {
        private final List<Call> waiters;
        private final TreeMap<Long, Call> served = new TreeMap<>();
        private final List<Call> unknown;
        private final Map<String, Long> lastSeen;

        Line(List<Call> waiters, Map<String, Long> lastSeen) {
            this.waiters = waiters;
            this.lastSeen = lastSeen;
            this.unknown = waiters.stream()
                    .filter(call -> call.done() == Long.MAX_VALUE)
                    .toList();
            waiters.stream().filter(Line::isServed).forEach(call -> served.put(call.done(), call));
        }

        private static boolean isServed(Call call) {
            return call.isOk()
                    && (call.operation() == Operation.ACQUIRE
                            || !Items.found(call).isEmpty());
        }

        /**
         * Somebody who waited before {@code freed} and still did at {@code until}, if nobody was served in between.
         *
         * @param since unknown outcomes before then do not matter
         */
        @Nullable Call lateAfter(long freed, long since, long until) {
            Long next = served.ceilingKey(freed);
            boolean isSomebodyServed = next != null && next <= until;
            if (isSomebodyServed || unknown.stream().anyMatch(call -> call.began() < until && lastSeen(call) > since)) {
                return null;
            }
            return waiters.stream()
                    .filter(call -> call.began() < freed && call.done() > until && !isGivenUp(call))
                    .findFirst()
                    .orElse(null);
        }

        private long lastSeen(Call unknown) {
            Event end = unknown.end();
            return end == null ? lastSeen.getOrDefault(unknown.invoke().node(), Long.MAX_VALUE) : end.nanos();
        }

        /** Cancelled: it is not known since when it did not really wait. */
        private static boolean isGivenUp(Call call) {
            Event end = call.end();
            return end == null || end.kind() == Kind.UNKNOWN;
        }
    }
}
