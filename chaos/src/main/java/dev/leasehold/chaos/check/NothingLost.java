package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * No acknowledged produce is lost: at the end its item was completed, or may have been, or it is still in its queue or in its dead
 * queue, or it went away as it should in a queue without a dead queue.
 *
 * <p>It is asked of queues that have a {@link Operation#LEFT}, as has their dead queue. Where an item may go away for nothing but its
 * time, nothing is concluded once that time may have come; nor if the queue, or a dead queue of it, may have been cleared or deleted
 * since.
 */
final class NothingLost implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        Items items = calls.items();
        List<Violation> found = new ArrayList<>();
        for (Story story : items.stories()) {
            story.produces.stream()
                    .filter(produce -> produce.call().isOk() && isLost(calls, story, produce))
                    .forEach(produce -> found.add(violation(
                            "item " + story.payload + " was acknowledged and is gone from queue '" + produce.queue()
                                    + "'",
                            excerpt(story, produce))));
        }
        return found;
    }

    private static boolean isLost(Calls calls, Story story, Step produce) {
        boolean isAccountedFor = !story.left.isEmpty()
                || story.of(Operation.COMPLETE).stream()
                        .anyMatch(step -> step.call().maybe());
        if (isAccountedFor) {
            return false;
        }
        Items items = calls.items();
        String queue = produce.queue();
        long since = produce.call().began();
        return calls.administration().isAdministered(queue)
                ? !calls.administration().mayBeGone(items, story, queue, since)
                : mustBeThere(items, story, queue, since);
    }

    /** Whether it is known all along the way to the dead queue that the item cannot have gone away. */
    private static boolean mustBeThere(Items items, Story story, String queue, long since) {
        Call left = items.left(queue);
        QueueFacts facts = items.queue(queue);
        if (left == null) {
            return false;
        }
        if (facts == null || !mayDie(items, story, queue, left, since)) {
            return true;
        }
        return facts.hasDeadQueue() && mustBeThere(items, story, facts.deadQueue(), since);
    }

    private static boolean mayDie(Items items, Story story, String queue, Call left, long since) {
        QueueFacts facts = Objects.requireNonNull(items.queue(queue));
        boolean isToldTo = story.of(Operation.RETRY).stream()
                .anyMatch(step -> step.queue().equals(queue)
                        && step.item().turn() == Turn.DEAD
                        && step.call().maybe());
        boolean mayBeLeased =
                !story.leases.isEmpty() || items.isConsumed(queue) || items.hiddenLeases(queue, Long.MAX_VALUE) > 0;
        boolean hadAttempts = facts.maxAttempts() > 0 && mayBeLeased;
        return isToldTo || hadAttempts || left.done() - since > facts.expireNanos();
    }

    private static Call[] excerpt(Story story, Step produce) {
        List<Call> calls = new ArrayList<>();
        calls.add(produce.call());
        story.leases.forEach(step -> calls.add(step.call()));
        story.settlements.forEach(step -> calls.add(step.call()));
        return calls.toArray(new Call[0]);
    }
}
