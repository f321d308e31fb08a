package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Administration.Change;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A queue that names a dead queue has it: no listing shows one without the other. And of two calls, one that names a dead queue and one
 * that deletes it, the second is refused, unless the name was taken back or the dead queue created again in between.
 */
final class DeadQueueStays implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        calls.of(Operation.QUEUES).filter(Call::isOk).forEach(listing -> checkListing(listing, found));
        Administration all = calls.administration();
        for (String queue : all.queues()) {
            all.changes(queue).stream()
                    .filter(change -> change.call().isOk() && change.facts().hasDeadQueue())
                    .forEach(change -> checkDeletes(all, queue, change, found));
        }
        return found;
    }

    private void checkListing(Call listing, List<Violation> found) {
        Set<String> there =
                Items.found(listing).stream().map(ItemFacts::payload).collect(Collectors.toSet());
        for (ItemFacts queue : Items.found(listing)) {
            String dead = queue.id();
            if (dead != null && !there.contains(dead)) {
                found.add(violation(
                        "queue '" + queue.payload() + "' names dead queue '" + dead + "', which is not there",
                        listing));
            }
        }
    }

    private void checkDeletes(Administration all, String queue, Change naming, List<Violation> found) {
        String dead = naming.facts().deadQueue();
        all.deletes(dead).stream()
                .filter(Call::isOk)
                .filter(delete -> !mayFollow(all, queue, naming, delete) && !mayPrecede(all, dead, naming, delete))
                .forEach(delete -> found.add(violation(
                        "queue '" + queue + "' was told to name dead queue '" + dead
                                + "', which was deleted all the same",
                        naming.call(),
                        delete)));
    }

    /** Whether the dead queue may have been named first, and deleted when the queue no longer named it. */
    private static boolean mayFollow(Administration all, String queue, Change naming, Call delete) {
        List<Call> others = new ArrayList<>(all.deletes(queue));
        all.changes(queue).stream()
                .filter(change -> !change.names(naming.facts().deadQueue()))
                .forEach(change -> others.add(change.call()));
        return naming.call().began() < delete.done()
                && Administration.isAnyBetween(others, naming.call().began(), delete.done());
    }

    /** Whether the dead queue may have been deleted first, and named when it was there again. */
    private static boolean mayPrecede(Administration all, String dead, Change naming, Call delete) {
        return delete.began() < naming.call().done()
                && Administration.isAnyBetween(
                        all.creates(dead), delete.began(), naming.call().done());
    }
}
