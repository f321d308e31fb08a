package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that must not have happened, and did.
 *
 * @param invariant the name of what was violated
 * @param sentence what happened
 * @param excerpt the fewest events that show it, in the order of their times
 */
public record Violation(String invariant, String sentence, List<Event> excerpt) {
    public Violation {
        excerpt = List.copyOf(excerpt);
    }

    /** The sentence, and the excerpt below it, one event a line. */
    @Override
    public String toString() {
        return invariant + ": " + sentence
                + excerpt.stream().map(Excerpt::line).collect(Collectors.joining("\n  ", "\n  ", ""));
    }
}
