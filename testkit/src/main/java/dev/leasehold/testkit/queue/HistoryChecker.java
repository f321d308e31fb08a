package dev.leasehold.testkit.queue;

import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.queue.QueueHistory.Lease;
import dev.leasehold.testkit.queue.QueueHistory.Produce;
import dev.leasehold.testkit.queue.QueueHistory.Settlement;
import dev.leasehold.testkit.queue.QueueHistory.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what no FIFO queue with leases could have done.
 *
 * <p>An item passes through turns: it becomes ready, by its produce, by a retry or because its lease ended, and then is leased.
 * If one turn certainly became ready before another, which is when the one call returned before the other was invoked, it must
 * not certainly have been leased after it. Pairs suffice: a queue whose items are all different is linearizable if no pair of
 * them is out of order, nothing comes from nowhere or twice, and nobody found it empty while something was in it.
 */
final class HistoryChecker {
    /** How much a deadline in the store's milliseconds may differ from one by nanoTime. */
    private static final long SLACK = Duration.ofMillis(5).toNanos();

    private final QueueHistory history;
    private final Map<String, Step> produced = new TreeMap<>();
    private final Map<String, List<Taken>> taken = new TreeMap<>();
    private final Map<ItemId, Settlement> retried = new HashMap<>();
    private final Map<String, Settlement> completed = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    HistoryChecker(QueueHistory history) {
        this.history = history;
        int call = 0;
        for (Produce produce : history.produces()) {
            for (int i = 0; i < produce.items().size(); i++) {
                produced.put(produce.items().get(i), new Step(call, produce.span(), i));
            }
            call++;
        }
        for (Lease lease : history.leases()) {
            for (int i = 0; i < lease.items().size(); i++) {
                LeasedItem item = lease.items().get(i);
                taken.computeIfAbsent(item.text(), text -> new ArrayList<>())
                        .add(new Taken(new Step(call, lease.span(), i), item));
            }
            call++;
        }
        taken.values().forEach(leases -> leases.sort(Comparator.comparingInt(Taken::attempts)));
        history.retries().forEach(retry -> retried.put(retry.item().id(), retry));
    }

    List<String> violations() {
        checkCompletes();
        checkNothingIsLost();
        taken.forEach(this::checkLeases);
        checkIds();
        history.retries().forEach(retry -> checkSettlement("retried", retry));
        history.completes().forEach(complete -> checkSettlement("completed", complete));
        history.refusals().forEach(this::checkRefusal);
        List<Turn> turns = turns();
        checkOrder(turns);
        checkEmptyLeases(turns);
        return violations;
    }

    private void checkCompletes() {
        for (Settlement complete : history.completes()) {
            if (completed.putIfAbsent(complete.item().text(), complete) != null) {
                say(complete.item().text() + " was completed twice");
            }
        }
    }

    private void checkNothingIsLost() {
        for (String item : produced.keySet()) {
            boolean isLeft = history.left().contains(item);
            if (!isLeft && !completed.containsKey(item)) {
                say(item + " was acknowledged and is lost");
            } else if (isLeft && completed.containsKey(item)) {
                say(item + " was completed and is still there");
            }
        }
    }

    private void checkLeases(String item, List<Taken> leases) {
        Step source = produced.get(item);
        Settlement end = completed.get(item);
        for (int i = 0; i < leases.size(); i++) {
            Taken lease = leases.get(i);
            if (source == null || lease.span().isBefore(source.span())) {
                say(item + " was leased before it was produced");
            }
            if (lease.attempts() != i + 1) {
                say(item + " had " + lease.attempts() + " attempts in its lease number " + (i + 1));
            }
            if (end != null && end.span().isBefore(lease.span())) {
                say(item + " was leased after it was completed");
            }
            if (i > 0 && lease.span().returned() < earliestEnd(leases.get(i - 1))) {
                say(item + " was leased by two at once, with attempts " + i + " and " + (i + 1));
            }
        }
    }

    /** Before then a lease has not ended: it was not retried, and its time was not over. */
    private long earliestEnd(Taken lease) {
        Settlement retry = retried.get(lease.item().id());
        return retry == null ? deadline(lease) : retry.span().invoked();
    }

    private long deadline(Taken lease) {
        return lease.span().invoked() + history.leaseTimeout().toNanos() - SLACK;
    }

    private void checkIds() {
        Set<ItemId> ids = new HashSet<>();
        for (Lease lease : history.leases()) {
            for (LeasedItem item : lease.items()) {
                if (!ids.add(item.id())) {
                    say(item.text() + " was leased under the id " + item.id() + " of an earlier lease");
                }
            }
        }
    }

    private void checkSettlement(String verb, Settlement end) {
        List<Taken> leases = taken.getOrDefault(end.item().text(), List.of());
        if (leases.stream()
                .noneMatch(lease -> lease.item().id().equals(end.item().id()))) {
            say(end.item().text() + " was " + verb + " without a lease");
        }
        if (leases.stream().anyMatch(lease -> isLaterLease(lease, end))) {
            say(end.item().text() + " was " + verb + " under a lease that had ended");
        }
        if (verb.equals("completed") && retried.containsKey(end.item().id())) {
            say(end.item().text() + " was completed and retried under the same lease");
        }
    }

    private static boolean isLaterLease(Taken lease, Settlement end) {
        return lease.attempts() > end.item().attempts() && lease.span().isBefore(end.span());
    }

    private void checkRefusal(Settlement refusal) {
        String item = refusal.item().text();
        Settlement end = completed.get(item);
        boolean isSettled = retried.containsKey(refusal.item().id())
                || (end != null && end.item().id().equals(refusal.item().id()));
        for (Taken lease : taken.getOrDefault(item, List.of())) {
            boolean isIt = lease.item().id().equals(refusal.item().id());
            if (isIt && !isSettled && refusal.span().returned() < deadline(lease)) {
                say(item + " was refused its end although its lease had not ended");
            }
        }
    }

    private List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        taken.forEach((item, leases) -> {
            for (int i = 0; i < leases.size(); i++) {
                Step ready = i == 0 ? produced.get(item) : again(leases.get(i - 1), leases.get(i));
                if (ready != null) {
                    turns.add(new Turn(item, ready, leases.get(i)));
                }
            }
        });
        return turns;
    }

    /** How an item became ready that was leased before: by a retry, or some time after the lease's deadline. */
    private @Nullable Step again(Taken before, Taken after) {
        Settlement retry = retried.get(before.item().id());
        Span span = retry != null
                ? retry.span()
                : new Span(deadline(before), after.span().returned());
        return span.returned() < span.invoked() ? null : new Step(Step.ALONE, span, 0);
    }

    private void checkOrder(List<Turn> turns) {
        for (Turn first : turns) {
            for (Turn second : turns) {
                if (first.ready().isBefore(second.ready())
                        && second.taken().step().isBefore(first.taken().step())) {
                    say(first + " was ready before " + second + " and was leased after it");
                }
            }
        }
    }

    private void checkEmptyLeases(List<Turn> turns) {
        for (Lease lease : history.leases()) {
            for (Turn turn : turns) {
                boolean wasReady = turn.ready().span().isBefore(lease.span())
                        && lease.span().isBefore(turn.taken().span());
                if (lease.items().isEmpty() && wasReady) {
                    say("a lease came back empty although " + turn + " was ready");
                }
            }
        }
    }

    private void say(String words) {
        violations.add(words);
    }

    /** What happened to one item in one call. */
    private record Step(int call, Span span, int position) {
        static final int ALONE = -1;

        /** Whether it certainly happened first. */
        boolean isBefore(Step other) {
            boolean isTogether = call == other.call && call != ALONE;
            return isTogether ? position < other.position : span.isBefore(other.span);
        }
    }

    /** One item in one lease. */
    private record Taken(Step step, LeasedItem item) {
        Span span() {
            return step.span();
        }

        int attempts() {
            return item.attempts();
        }
    }

    /** One turn of an item. */
    private record Turn(String item, Step ready, Taken taken) {
        @Override
        public String toString() {
            return item + " (attempt " + taken.attempts() + ")";
        }
    }
}
