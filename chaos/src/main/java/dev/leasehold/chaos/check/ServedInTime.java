package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whoever waits is woken: it does not happen that somebody who waited before a release or a produce still waits a bound after it, while
 * nobody else was served. So a wake-up that was lost shows, although the safety net serves the waiter in the end.
 *
 * <p>Nothing is concluded where a call of the same kind has an unknown outcome, which may have been served, nor about what overlaps
 * a fault and the time of recovery after it.
 */
final class ServedInTime implements Invariant {
    private final long boundNanos;
    private final long recoveryNanos;

    ServedInTime(long boundNanos, long recoveryNanos) {
        this.boundNanos = boundNanos;
        this.recoveryNanos = recoveryNanos;
    }

    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        List<Call> faults = calls.of(Operation.FAULT).toList();
        check(calls, Operation.RELEASE, Operation.ACQUIRE, call -> true, faults, found);
        check(calls, Operation.PRODUCE, Operation.LEASE, ServedInTime::isReadyAtOnce, faults, found);
        return found;
    }

    private static boolean isReadyAtOnce(Call produce) {
        return produce.invoke().facts().items().stream().anyMatch(item -> item.turn() == Turn.NOW);
    }

    private void check(
            Calls calls,
            Operation frees,
            Operation waits,
            Predicate<Call> counts,
            List<Call> faults,
            List<Violation> found) {
        Map<String, List<Call>> waiters = calls.bySubject(waits);
        calls.bySubject(frees).forEach((subject, all) -> {
            Line line = new Line(waiters.getOrDefault(subject, List.of()));
            all.stream()
                    .filter(free -> free.isOk() && counts.test(free) && !isDisturbed(free, faults))
                    .forEach(free -> {
                        Call late = line.lateAfter(free, free.done() + boundNanos);
                        if (late != null) {
                            found.add(violation(sentence(free, late), free, late));
                        }
                    });
        });
    }

    private String sentence(Call free, Call late) {
        return late.operation() + " of '" + late.subject() + "' by "
                + late.invoke().worker() + " was not served within " + boundNanos / 1_000_000 + " ms of a "
                + free.operation() + " that it had waited for";
    }

    private boolean isDisturbed(Call free, List<Call> faults) {
        return faults.stream()
                .anyMatch(fault -> fault.began() < free.done() + boundNanos
                        && (fault.done() == Long.MAX_VALUE || fault.done() + recoveryNanos > free.began()));
    }

    /** Those who waited for one subject. */
    private static final class Line {
        private final List<Call> waiters;
        private final TreeMap<Long, Call> served = new TreeMap<>();
        private final List<Call> unknown;

        Line(List<Call> waiters) {
            this.waiters = waiters;
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

        /** Somebody who waited before {@code free} and still did at {@code until}, if nobody was served in between. */
        @Nullable Call lateAfter(Call free, long until) {
            Long next = served.ceilingKey(free.began());
            boolean isSomebodyServed = next != null && next <= until;
            if (isSomebodyServed || unknown.stream().anyMatch(call -> call.began() < until && isOpenAt(call, free))) {
                return null;
            }
            return waiters.stream()
                    .filter(call -> call.began() < free.began() && call.done() > until && !isGivenUp(call))
                    .findFirst()
                    .orElse(null);
        }

        private static boolean isOpenAt(Call unknown, Call free) {
            Event end = unknown.end();
            return end == null || end.nanos() > free.began();
        }

        /** Cancelled: it is not known since when it did not really wait. */
        private static boolean isGivenUp(Call call) {
            Event end = call.end();
            return end == null || end.kind() == Kind.UNKNOWN;
        }
    }
}
