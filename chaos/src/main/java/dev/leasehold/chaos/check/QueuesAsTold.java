package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A queue is there from its creation to its deletion, and not after it: it is listed, or not; it takes no items when it is gone; and
 * what was in it does not come back with another queue of its name.
 */
final class QueuesAsTold implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        Administration all = calls.administration();
        List<Violation> found = new ArrayList<>();
        calls.of(Operation.QUEUES).filter(Call::isOk).forEach(listing -> checkListing(all, listing, found));
        calls.of(Operation.PRODUCE, Operation.LEASE)
                .filter(call -> call.isOk() && isAboutItems(call))
                .forEach(use -> checkUse(all, use, found));
        calls.items().stories().forEach(story -> checkGone(all, story, found));
        return found;
    }

    private void checkListing(Administration all, Call listing, List<Violation> found) {
        Set<String> there =
                Items.found(listing).stream().map(ItemFacts::payload).collect(Collectors.toSet());
        for (String queue : all.queues()) {
            if (!queue.startsWith(listing.subject())) {
                continue;
            }
            if (there.contains(queue)) {
                checkUse(all, queue, listing, found);
            } else {
                checkThere(all, queue, listing, found);
            }
        }
    }

    private void checkThere(Administration all, String queue, Call listing, List<Violation> found) {
        all.creates(queue).stream()
                .filter(create -> create.isOk() && create.isBefore(listing))
                .filter(create -> !Administration.isAnyBetween(all.deletes(queue), create.began(), listing.done()))
                .findFirst()
                .ifPresent(create -> found.add(violation(
                        "queue '" + queue + "' was created, nobody has deleted it, and it is not there",
                        create,
                        listing)));
    }

    private static boolean isAboutItems(Call call) {
        return call.operation() == Operation.PRODUCE || !Items.found(call).isEmpty();
    }

    private void checkUse(Administration all, Call use, List<Violation> found) {
        checkUse(all, use.subject(), use, found);
    }

    /** A call that shows that the queue was there. */
    private void checkUse(Administration all, String queue, Call use, List<Violation> found) {
        all.deletes(queue).stream()
                .filter(delete -> delete.isOk() && delete.isBefore(use))
                .filter(delete -> !Administration.isAnyBetween(all.creates(queue), delete.began(), use.done()))
                .findFirst()
                .ifPresent(delete -> found.add(violation(
                        "queue '" + queue + "' was deleted, nobody has created it again, and a " + use.operation()
                                + " found it",
                        delete,
                        use)));
    }

    /** What was produced into the queue before it was deleted is not seen there afterwards. */
    private void checkGone(Administration all, Story story, List<Violation> found) {
        for (Step produce : story.produces) {
            all.deletes(produce.queue()).stream()
                    .filter(delete -> delete.isOk()
                            && produce.call().isOk()
                            && produce.call().isBefore(delete))
                    .forEach(delete -> seen(story, produce, delete)
                            .findFirst()
                            .ifPresent(seen -> found.add(violation(
                                    "item " + story.payload + " was in queue '" + produce.queue()
                                            + "' when that was deleted, and came back",
                                    produce.call(),
                                    delete,
                                    seen.call()))));
        }
    }

    private static Stream<Step> seen(Story story, Step produce, Call delete) {
        return Stream.concat(story.leases.stream(), story.left.stream())
                .filter(step -> step.queue().equals(produce.queue()) && delete.isBefore(step.call()));
    }
}
