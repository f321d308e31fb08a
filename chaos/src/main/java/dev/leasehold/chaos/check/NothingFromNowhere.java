package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What is in a queue was produced: not refused, and not sooner than anybody asked for it. */
final class NothingFromNowhere implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        for (Story story : calls.items().stories()) {
            Stream.concat(story.leases.stream(), story.left.stream())
                    .filter(seen -> story.produces.stream().noneMatch(produce -> explains(produce, seen)))
                    .filter(seen -> isOfKnownQueue(story, seen))
                    .findFirst()
                    .ifPresent(seen -> found.add(violation(
                            "item " + story.payload + " is in queue '" + seen.queue()
                                    + "', but nobody's produce put it there",
                            excerpt(story, seen))));
        }
        return found;
    }

    private static boolean explains(Step produce, Step seen) {
        return produce.call().maybe() && produce.call().began() < seen.call().done();
    }

    /** What is left of a key's writes is no item. */
    private static boolean isOfKnownQueue(Story story, Step seen) {
        return !story.leases.isEmpty()
                || !story.produces.isEmpty()
                || seen.item().id() != null;
    }

    private static Call[] excerpt(Story story, Step seen) {
        return Stream.concat(story.produces.stream(), Stream.of(seen))
                .map(Step::call)
                .toArray(Call[]::new);
    }
}
