package dev.leasehold.chaos.model;

import dev.leasehold.chaos.model.Model.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Looks at every state that a model can get into, breadth first: so the first violation that it finds has no shorter way to it. */
public final class Explorer<S> {
    private final Model<S> model;
    private final int limit;
    private final Map<S, Arrival<S>> arrivals = new HashMap<>();

    private Explorer(Model<S> model, int limit) {
        this.model = model;
        this.limit = limit;
    }

    /** Explores a model that may have up to {@code limit} states; with more than that its bounds are too wide. */
    public static <S> Outcome<S> explore(Model<S> model, int limit) {
        return new Explorer<>(model, limit).explore();
    }

    /** What was found. */
    public record Outcome<S>(int states, Optional<Trace<S>> violation) {}

    private Outcome<S> explore() {
        Deque<S> open = new ArrayDeque<>();
        arrivals.put(model.initial(), new Arrival<>(null, null));
        open.add(model.initial());
        while (!open.isEmpty()) {
            S state = open.remove();
            String violation = model.violation(state);
            if (violation != null) {
                return new Outcome<>(arrivals.size(), Optional.of(new Trace<>(model, wayTo(state), violation)));
            }
            for (Step<S> step : model.steps(state)) {
                if (arrivals.putIfAbsent(step.next(), new Arrival<>(state, step)) == null) {
                    open.add(step.next());
                }
            }
            checkLimit();
        }
        return new Outcome<>(arrivals.size(), Optional.empty());
    }

    private void checkLimit() {
        if (arrivals.size() > limit) {
            throw new IllegalStateException("the model has more than " + limit + " states: its bounds are too wide");
        }
    }

    private List<Step<S>> wayTo(S state) {
        List<Step<S>> way = new ArrayList<>();
        Arrival<S> arrival = arrivals.get(state);
        while (arrival != null && arrival.from != null && arrival.step != null) {
            way.add(arrival.step);
            arrival = arrivals.get(arrival.from);
        }
        Collections.reverse(way);
        return way;
    }

    /** Some way through the model, up to where no step is left. */
    public static <S> Trace<S> wander(Model<S> model, Random random) {
        List<Step<S>> way = new ArrayList<>();
        S state = model.initial();
        List<Step<S>> steps = model.steps(state);
        while (!steps.isEmpty()) {
            Step<S> step = steps.get(random.nextInt(steps.size()));
            way.add(step);
            state = step.next();
            steps = model.steps(state);
        }
        String violation = model.violation(state);
        return new Trace<>(model, way, violation == null ? "" : violation);
    }

    /** How a state was first reached; nulls for the initial one. */
    private record Arrival<S>(@Nullable S from, @Nullable Step<S> step) {}
}
