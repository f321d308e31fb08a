package dev.leasehold.chaos.model;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.model.Model.Step;
import dev.leasehold.chaos.model.Model.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A way through a model from its initial state.
 *
 * @param violation the invariant that its last state violates; empty if none
 */
public record Trace<S>(Model<S> model, List<Step<S>> steps, String violation) {
    /** How long a tick is in the history of a trace; steps within one are a nanosecond apart. */
    public static final long TICK_NANOS = 1_000_000;

    /** What the workers would have recorded, for the checker to look at. */
    public History history() {
        Journey journey = new Journey();
        model.before().forEach(told -> journey.add(told, 0));
        for (Step<S> step : steps) {
            step.told().forEach(told -> journey.add(told, model.now(step.next())));
        }
        S last = steps.isEmpty() ? model.initial() : steps.get(steps.size() - 1).next();
        model.after(last).forEach(told -> journey.add(told, model.now(last) + 1));
        return History.merge(List.of(journey.events));
    }

    /** Events, numbered and timed as they come. */
    private static final class Journey {
        private final List<Event> events = new ArrayList<>();
        private final Map<String, Long> calls = new HashMap<>();
        private long lastCall;

        void add(Told told, int tick) {
            if (told.kind() == Kind.INVOKE) {
                calls.put(told.worker(), ++lastCall);
            }
            events.add(new Event(
                    events.size(),
                    calls.getOrDefault(told.worker(), 0L),
                    told.kind(),
                    tick * TICK_NANOS + events.size(),
                    "model",
                    told.worker(),
                    told.operation(),
                    told.subject(),
                    told.facts()));
        }
    }

    /** The steps in words, one a line. */
    @Override
    public String toString() {
        return violation + steps.stream().map(Step::words).collect(Collectors.joining("\n  ", "\n  ", ""));
    }
}
