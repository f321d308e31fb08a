package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Items are completed, retried and extended only under a lease of theirs: not after it was certainly given up, and not after
 * somebody else was given the item.
 */
final class SettledUnderLease implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        for (Story story : calls.items().stories()) {
            story.settlements.stream()
                    .filter(step -> step.call().isOk() && step.operation() != Operation.GIVE_BACK)
                    .forEach(step -> check(story, step, found));
        }
        return found;
    }

    private void check(Story story, Step step, List<Violation> found) {
        story.settlements.stream()
                .filter(end -> end.isSameId(step) && isEnd(end) && end.call().isBefore(step.call()))
                .findFirst()
                .ifPresent(end -> found.add(violation(
                        "item " + story.payload + ": a " + step.operation()
                                + " succeeded after its lease had ended by a " + end.operation(),
                        end.call(),
                        step.call())));
        story.leases.stream()
                .filter(lease -> isLater(lease, story, step))
                .findFirst()
                .ifPresent(lease -> found.add(violation(
                        "item " + story.payload + ": a " + step.operation()
                                + " succeeded although somebody else had leased it meanwhile",
                        lease.call(),
                        step.call())));
    }

    private static boolean isEnd(Step step) {
        return step.call().isOk() && step.operation() != Operation.EXTEND_LEASE;
    }

    /** Whether this is a later turn of the item than the one the step was made for, and was there before the step. */
    private static boolean isLater(Step lease, Story story, Step step) {
        return lease.queue().equals(step.queue())
                && lease.call().isBefore(step.call())
                && lease.item().attempts() > attempts(story, step);
    }

    /** Under which attempt the step was made: it says so itself, or its id does. */
    private static int attempts(Story story, Step step) {
        return step.item().attempts() > 0
                ? step.item().attempts()
                : story.leases.stream()
                        .filter(lease -> lease.isSameId(step))
                        .mapToInt(lease -> lease.item().attempts())
                        .max()
                        .orElse(Integer.MAX_VALUE);
    }
}
