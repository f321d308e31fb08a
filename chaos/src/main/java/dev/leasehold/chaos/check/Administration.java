package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which queues were created, changed, cleared and deleted while others used them. */
final class Administration {
    private final Map<String, List<Change>> changes = new HashMap<>();
    private final Map<String, List<Call>> creates = new HashMap<>();
    private final Map<String, List<Call>> deletes = new HashMap<>();
    private final Map<String, List<Call>> clears = new HashMap<>();

    static Administration of(List<Call> calls) {
        Administration all = new Administration();
        calls.stream().filter(Call::maybe).forEach(all::add);
        return all;
    }

    private void add(Call call) {
        switch (call.operation()) {
            case CREATE_QUEUE, UPDATE_QUEUE -> addChange(call);
            case CLEAR_QUEUE -> list(clears, call.subject()).add(call);
            case DELETE_QUEUE -> list(deletes, call.subject()).add(call);
            default -> {}
        }
    }

    private void addChange(Call call) {
        QueueFacts facts = call.invoke().facts().queue();
        if (facts != null) {
            list(changes, call.subject()).add(new Change(call, facts));
            if (call.operation() == Operation.CREATE_QUEUE) {
                list(creates, call.subject()).add(call);
            }
        }
    }

    private static <T> List<T> list(Map<String, List<T>> lists, String queue) {
        return lists.computeIfAbsent(queue, q -> new ArrayList<>());
    }

    /** Whether a queue does not stay as it was set up. */
    boolean isAdministered(String queue) {
        return changes.containsKey(queue) || deletes.containsKey(queue) || clears.containsKey(queue);
    }

    /** All names of such queues. */
    Iterable<String> queues() {
        return changes.keySet();
    }

    /** The calls that have created it or changed it, or may have. */
    List<Change> changes(String queue) {
        return changes.getOrDefault(queue, List.of());
    }

    /** The calls that have created it, or may have. */
    List<Call> creates(String queue) {
        return creates.getOrDefault(queue, List.of());
    }

    /** The calls that have deleted it, or may have. */
    List<Call> deletes(String queue) {
        return deletes.getOrDefault(queue, List.of());
    }

    /** Whether one of the calls may have been carried out between two others: not before the first, and not after the second. */
    static boolean isAnyBetween(List<Call> calls, long firstBegan, long secondDone) {
        return calls.stream().anyMatch(call -> call.done() > firstBegan && call.began() < secondDone);
    }

    /** Whether an item that was in such a queue since then may be gone for a good reason, from there or from its dead queue. */
    boolean mayBeGone(Items items, Story story, String queue, long since) {
        Call left = items.left(queue);
        if (left == null
                || isAnyBetween(deletes(queue), since, Long.MAX_VALUE)
                || isAnyBetween(clears.getOrDefault(queue, List.of()), since, Long.MAX_VALUE)) {
            return true;
        }
        List<QueueFacts> facts = factsSince(queue, since);
        if (!mayDie(items, story, queue, facts, left.done() - since)) {
            return false;
        }
        return facts.stream()
                .anyMatch(each -> !each.hasDeadQueue()
                        || each.deadQueue().equals(queue)
                        || mayBeGone(items, story, each.deadQueue(), since));
    }

    private static boolean mayDie(Items items, Story story, String queue, List<QueueFacts> facts, long age) {
        boolean isToldTo = story.of(Operation.RETRY).stream()
                .anyMatch(step -> isIn(queue, step)
                        && step.item().turn() == Turn.DEAD
                        && step.call().maybe());
        boolean mayBeLeased = story.leases.stream().anyMatch(step -> isIn(queue, step))
                || items.hiddenLeases(queue, Long.MAX_VALUE) > 0;
        return isToldTo
                || facts.stream().anyMatch(each -> (each.maxAttempts() > 0 && mayBeLeased) || age > each.expireNanos());
    }

    private static boolean isIn(String queue, Step step) {
        return step.queue().equals(queue);
    }

    /** How the queue may have been set up at any time since then. */
    private List<QueueFacts> factsSince(String queue, long since) {
        List<Change> all = changes(queue);
        return all.stream()
                .filter(change -> all.stream().noneMatch(later -> later.hasReplaced(change, since)))
                .map(Change::facts)
                .toList();
    }

    /** A queue was created, or changed, or may have been. */
    record Change(Call call, QueueFacts facts) {
        /** Whether the other change was certainly overwritten by this one before then. */
        boolean hasReplaced(Change other, long before) {
            return call.isOk() && other.call.isBefore(call) && call.done() < before;
        }

        boolean names(String deadQueue) {
            return facts.deadQueue().equals(deadQueue);
        }
    }
}
