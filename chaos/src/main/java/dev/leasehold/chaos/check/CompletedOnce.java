package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** No item is completed twice, and none that was completed comes back. */
final class CompletedOnce implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        for (Story story : calls.items().stories()) {
            List<Step> completed = story.of(Operation.COMPLETE).stream()
                    .filter(step -> step.call().isOk())
                    .toList();
            if (!completed.isEmpty()) {
                check(story, completed, found);
            }
        }
        return found;
    }

    private void check(Story story, List<Step> completed, List<Violation> found) {
        Call first = completed.get(0).call();
        completed.stream()
                .skip(1)
                .forEach(again ->
                        found.add(violation("item " + story.payload + " was completed twice", first, again.call())));
        Stream.concat(story.leases.stream(), story.left.stream())
                .filter(step -> first.isBefore(step.call()))
                .findFirst()
                .ifPresent(step -> found.add(violation(
                        "item " + story.payload + " was completed and came back in queue '" + step.queue() + "'",
                        first,
                        step.call())));
    }
}
