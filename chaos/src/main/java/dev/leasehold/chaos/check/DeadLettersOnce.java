package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A dead letter arrives once, and its item is gone from its own queue then; nothing dies that has neither been told to, nor had its
 * attempts, nor its time. (That it arrives at all is for {@link NothingLost}, that it is not leased twice for
 * {@link AttemptsExact}.)
 */
final class DeadLettersOnce implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        Items items = calls.items();
        List<Violation> found = new ArrayList<>();
        for (Story story : items.stories()) {
            story.produces.stream().findFirst().ifPresent(produce -> {
                QueueFacts facts = items.queue(produce.queue());
                if (facts != null && facts.hasDeadQueue()) {
                    check(items, story, produce, facts, found);
                }
            });
            checkOnce(story, found);
        }
        return found;
    }

    /** One look at the end finds an item once, wherever it is. */
    private void checkOnce(Story story, List<Violation> found) {
        if (story.left.size() > 1) {
            found.add(violation(
                    "item " + story.payload + " is there " + story.left.size() + " times at the end",
                    story.left.stream().map(Step::call).toArray(Call[]::new)));
        }
    }

    private void check(Items items, Story story, Step produce, QueueFacts facts, List<Violation> found) {
        Optional<Step> seen = Stream.concat(story.leases.stream(), story.left.stream())
                .filter(step -> step.queue().equals(facts.deadQueue()))
                .findFirst();
        seen.ifPresent(dead -> {
            checkGone(story, produce.queue(), dead, found);
            checkReason(items, story, produce, facts, dead, found);
        });
    }

    private void checkGone(Story story, String own, Step dead, List<Violation> found) {
        Stream.concat(story.leases.stream(), story.of(Operation.COMPLETE).stream())
                .filter(step -> step.queue().equals(own) && step.call().isOk())
                .filter(step ->
                        step.operation() == Operation.COMPLETE || dead.call().isBefore(step.call()))
                .findFirst()
                .ifPresent(step -> found.add(violation(
                        "item " + story.payload + " is in dead queue '" + dead.queue() + "' and had a "
                                + step.operation() + " in queue '" + own + "' all the same",
                        step.call(),
                        dead.call())));
    }

    private void checkReason(
            Items items, Story story, Step produce, QueueFacts facts, Step dead, List<Violation> found) {
        List<Step> own = story.leases.stream()
                .filter(step -> step.queue().equals(produce.queue()))
                .toList();
        int attempts =
                own.stream().mapToInt(step -> step.item().attempts()).max().orElse(0)
                        + items.hiddenLeases(produce.queue(), dead.call().done());
        boolean hadAttempts = facts.maxAttempts() > 0 && attempts >= facts.maxAttempts();
        boolean hadTime = dead.call().done() - produce.call().began() > facts.expireNanos();
        boolean isToldTo = story.of(Operation.RETRY).stream()
                .anyMatch(step -> step.item().turn() == Turn.DEAD && step.call().maybe());
        boolean isHidden = items.isConsumed(produce.queue()) && facts.maxAttempts() > 0;
        if (!hadAttempts && !hadTime && !isToldTo && !isHidden) {
            found.add(violation(
                    "item " + story.payload + " is in dead queue '" + dead.queue() + "' after " + attempts
                            + " attempts, for no reason",
                    Stream.of(Stream.of(produce), own.stream(), Stream.of(dead))
                            .flatMap(steps -> steps)
                            .map(Step::call)
                            .toArray(Call[]::new)));
        }
    }
}
