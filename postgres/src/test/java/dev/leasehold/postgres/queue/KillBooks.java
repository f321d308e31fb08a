package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.queue.QueueWorker.Verb;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The accounts of one queue after its nodes were killed: what they were told, against what was found in it afterwards.
 *
 * @param lines what all nodes printed of it
 * @param left the texts that a surviving node leased and completed, each as often as it did
 * @param dead the texts that it found in the dead queue
 */
record KillBooks(List<KillLine> lines, List<String> left, List<String> dead) {
    static KillBooks of(Verb verb, List<KillLine> all, List<String> left, List<String> dead) {
        return new KillBooks(all.stream().filter(line -> line.verb() == verb).toList(), left, dead);
    }

    void balance() {
        assertThat(lines).noneMatch(line -> line.state() == KillLine.State.FAILED);
        nothingAppearsTwice();
        nothingAcknowledgedIsLost();
        nothingCompletedIsSeenAgain();
        deathIsFinal();
        assertThat(tried("produce")).as("nothing is made up").containsAll(left).containsAll(dead);
    }

    private void nothingAppearsTwice() {
        assertThat(left).as("left in the queue").doesNotHaveDuplicates();
        assertThat(dead).as("dead letters").doesNotHaveDuplicates();
        assertThat(dead).as("dead letters that still live").noneMatch(Set.copyOf(left)::contains);
        List<String> completed = lines.stream()
                .filter(line -> line.isDone("complete"))
                .flatMap(line -> line.texts().stream())
                .toList();
        assertThat(completed).as("completed twice").doesNotHaveDuplicates();
    }

    /** Whose complete was not answered may be gone or not; every other item that was promised is still there. */
    private void nothingAcknowledgedIsLost() {
        Set<String> missing = new HashSet<>(acknowledged("produce"));
        missing.removeAll(tried("complete"));
        missing.removeAll(Set.copyOf(left));
        missing.removeAll(Set.copyOf(dead));
        assertThat(missing).as("acknowledged, never completed, and gone").isEmpty();
    }

    private void nothingCompletedIsSeenAgain() {
        Set<String> completed = acknowledged("complete");
        assertThat(left).as("completed, and there again").noneMatch(completed::contains);
        assertThat(dead).as("completed, and dead").noneMatch(completed::contains);
        Map<String, Long> completedAt = lines.stream()
                .filter(line -> line.isDone("complete"))
                .flatMap(line -> line.texts().stream().map(text -> Map.entry(text, line.printedNanos())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        lines.stream()
                .filter(line -> line.isDone("lease"))
                .forEach(lease -> assertThat(lease.texts())
                        .as("leased after their complete was acknowledged")
                        .noneMatch(text -> completedAt.getOrDefault(text, Long.MAX_VALUE) < lease.beganNanos()));
    }

    private void deathIsFinal() {
        if (lines.get(0).verb() == Verb.RETRY_DEAD) {
            assertThat(dead).as("dead letters").containsAll(acknowledged("retry"));
        }
    }

    private Set<String> acknowledged(String call) {
        return texts(line -> line.isDone(call));
    }

    private Set<String> tried(String call) {
        return texts(line -> line.state() == KillLine.State.BEGUN && line.call().equals(call));
    }

    private Set<String> texts(Predicate<KillLine> which) {
        return lines.stream()
                .filter(which)
                .flatMap(line -> line.texts().stream())
                .collect(Collectors.toSet());
    }
}
