package dev.leasehold.bench;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A figure of one system in one variant of a scenario: by itself, or in proportion to other systems of the same run.
 *
 * @param unit what it is counted in
 * @param system whose figure it is
 * @param others whom it is compared with, the best of those that were measured; empty if it stands by itself
 * @param part how to read it off one measurement; NaN if that has no such figure
 */
record Figure(String unit, String system, List<String> others, ToDoubleFunction<Measurement> part) {
    Figure {
        others = List.copyOf(others);
    }

    /** The median of the repeats. */
    static Figure of(String unit, String system, ToDoubleFunction<Measurement> part) {
        return new Figure(unit, system, List.of(), part);
    }

    /** How many times the rate of the fastest of the others; the median of the repeats, each against its neighbour. */
    static Figure rateTimes(String system, String... others) {
        return new Figure("x", system, List.of(others), Measurement::opsPerSecond);
    }

    /** How many times the median latency of the other; the median of the repeats, each against its neighbour. */
    static Figure p50Times(String system, String other) {
        return new Figure("x", system, List.of(other), Measurement::p50Ms);
    }

    static Figure rate(String system) {
        return of("/s", system, Measurement::opsPerSecond);
    }

    static Figure p50(String system) {
        return of("ms", system, Measurement::p50Ms);
    }

    static Figure p99(String system) {
        return of("ms", system, Measurement::p99Ms);
    }

    /** One of the further figures of a scenario. */
    static Figure extra(String unit, String system, String name) {
        return of(unit, system, measurement -> measurement.extra(name));
    }

    boolean needs(String name) {
        return system.equals(name) || others.contains(name);
    }

    /** Reads it off the results of one variant; empty if a system that it needs was not measured. */
    OptionalDouble in(List<Result> results) {
        return results.stream()
                .filter(result -> result.contender().name().equals(system))
                .findFirst()
                .map(own -> others.isEmpty() ? own.median(part) : againstBest(own, results))
                .orElseGet(OptionalDouble::empty);
    }

    private OptionalDouble againstBest(Result own, List<Result> results) {
        return results.stream()
                .filter(result -> others.contains(result.contender().name()))
                .map(other -> own.ratioTo(other, part))
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }
}
