package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every lease of an item counts once: the attempts of its leases in one queue are 1, 2, 3 and so on, in the order of the leases, and
 * no more than the queue allows.
 *
 * <p>The same number may come again if the item was given back under that lease. A number may be missing for every lease
 * whose outcome is not known, for every lease that waited during a fault, and any may be where consumers work, who lease more than
 * they are heard of.
 */
final class AttemptsExact implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        Items items = calls.items();
        List<Violation> found = new ArrayList<>();
        for (Story story : items.stories()) {
            Map<String, List<Step>> byQueue = story.leases.stream()
                    .collect(Collectors.groupingBy(Step::queue, LinkedHashMap::new, Collectors.toList()));
            byQueue.forEach((queue, leases) -> {
                leases.sort(Comparator.comparingInt(step -> step.item().attempts()));
                checkSteps(story, leases, found);
                checkMissing(items, story, leases, found);
                checkLimit(items.queue(queue), story, leases, found);
            });
        }
        return found;
    }

    private void checkSteps(Story story, List<Step> leases, List<Violation> found) {
        for (int i = 1; i < leases.size(); i++) {
            Step before = leases.get(i - 1);
            Step after = leases.get(i);
            boolean isSame = before.item().attempts() == after.item().attempts();
            if (isSame && !mayRepeat(story, before, after)) {
                found.add(violation(
                        "item " + story.payload + " was leased twice as attempt "
                                + after.item().attempts(),
                        before.call(),
                        after.call()));
            } else if (!isSame && isTimeKnown(before) && after.call().isBefore(before.call())) {
                found.add(violation(
                        "item " + story.payload + " was leased as attempt "
                                + after.item().attempts() + " and then as attempt "
                                + before.item().attempts(),
                        before.call(),
                        after.call()));
            }
        }
    }

    /** Not if a consumer has handed it out: it was leased at some time before, in a process that may have been paused since. */
    private static boolean isTimeKnown(Step lease) {
        return lease.call().invoke().facts().lastsNanos() != null;
    }

    /** Whether the first of the two was given back, and so did not count. If they overlap, either may be the first. */
    private static boolean mayRepeat(Story story, Step before, Step after) {
        return isGivenBack(story, before) || (!before.call().isBefore(after.call()) && isGivenBack(story, after));
    }

    private static boolean isGivenBack(Story story, Step lease) {
        return story.under(lease).stream()
                .anyMatch(step ->
                        step.operation() == Operation.GIVE_BACK && step.call().maybe());
    }

    private void checkMissing(Items items, Story story, List<Step> leases, List<Violation> found) {
        Step last = leases.get(leases.size() - 1);
        long known =
                leases.stream().map(step -> step.item().attempts()).distinct().count();
        long missing = last.item().attempts() - known;
        int hidden = items.hiddenLeases(last.queue(), last.call().done());
        boolean isTooFew = missing < 0;
        if (isTooFew || (missing > hidden && !items.isConsumed(last.queue()))) {
            found.add(violation(
                    "item " + story.payload + " was leased as attempt "
                            + last.item().attempts() + ", but only " + known + " leases of it are known and " + hidden
                            + " may be hidden",
                    leases.stream().map(Step::call).toArray(Call[]::new)));
        }
    }

    private void checkLimit(@Nullable QueueFacts queue, Story story, List<Step> leases, List<Violation> found) {
        Step last = leases.get(leases.size() - 1);
        if (queue != null && queue.maxAttempts() > 0 && last.item().attempts() > queue.maxAttempts()) {
            found.add(violation(
                    "item " + story.payload + " was leased as attempt "
                            + last.item().attempts() + " of " + queue.maxAttempts(),
                    last.call()));
        }
    }
}
