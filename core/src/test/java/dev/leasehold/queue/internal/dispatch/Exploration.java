package dev.leasehold.queue.internal.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Looks at every state that a {@link World} can get into, breadth first: so the first violation that it finds has no shorter way to it.
 * A state is reached by repeating its steps from the beginning.
 */
final class Exploration {
    private final Supplier<World> begin;
    private final Set<String> seen = new HashSet<>();
    private final Deque<Way> open = new ArrayDeque<>();

    private Exploration(Supplier<World> begin) {
        this.begin = begin;
    }

    /** The steps to a state, and those that can follow. */
    private record Way(List<String> steps, List<String> next) {}

    /** What was found: how many states, and the way to a violation if there is one. */
    record Outcome(int states, Optional<String> violation) {}

    static Outcome explore(Supplier<World> begin, int mostStates) {
        return new Exploration(begin).explore(mostStates);
    }

    private Outcome explore(int mostStates) {
        open.add(new Way(List.of(), begin.get().steps()));
        while (!open.isEmpty()) {
            Way way = open.remove();
            for (String step : way.next) {
                Optional<String> violation = take(way, step);
                if (violation.isPresent()) {
                    return new Outcome(seen.size(), violation);
                }
            }
            if (seen.size() > mostStates) {
                throw new IllegalStateException("more than " + mostStates + " states: the scenario is too large");
            }
        }
        return new Outcome(seen.size(), Optional.empty());
    }

    private Optional<String> take(Way way, String step) {
        World world = begin.get();
        way.steps.forEach(world::take);
        world.take(step);
        String violation = world.violation();
        List<String> steps = new ArrayList<>(way.steps);
        steps.add(step);
        if (violation == null && seen.add(world.fingerprint())) {
            open.add(new Way(steps, world.steps()));
            violation = world.violationInTheEnd(); // it is not used any more
        }
        return Optional.ofNullable(violation).map(what -> what + ": " + String.join(", ", steps));
    }
}
