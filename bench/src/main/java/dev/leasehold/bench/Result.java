package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * All repeats of one contender in one variant of a scenario. Its figures are those of the repeat with the median rate.
 *
 * @param repeats in their order; never empty
 */
public record Result(Scenario scenario, Variant variant, Contender contender, List<Measurement> repeats) {
    public Result {
        repeats = List.copyOf(repeats);
        if (repeats.isEmpty()) {
            throw new IllegalArgumentException("a result needs at least one measurement");
        }
    }

    Measurement median() {
        List<Measurement> sorted = new ArrayList<>(repeats);
        sorted.sort(Comparator.comparingDouble(Measurement::opsPerSecond));
        return sorted.get((sorted.size() - 1) / 2);
    }

    /** The median of one figure of the repeats; empty if they do not have it. */
    OptionalDouble median(ToDoubleFunction<Measurement> figure) {
        return middle(repeats.stream().mapToDouble(figure));
    }

    /** A figure of this one divided by that of another: the median of the repeats, each against its neighbour. */
    OptionalDouble ratioTo(Result other, ToDoubleFunction<Measurement> figure) {
        int count = Math.min(repeats.size(), other.repeats.size());
        return middle(IntStream.range(0, count)
                .mapToDouble(i -> figure.applyAsDouble(repeats.get(i)) / figure.applyAsDouble(other.repeats.get(i))));
    }

    private static OptionalDouble middle(DoubleStream values) {
        double[] sorted = values.filter(Double::isFinite).sorted().toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[(sorted.length - 1) / 2]);
    }

    private boolean isLeasehold() {
        return contender.name().equals(Contender.LEASEHOLD);
    }

    /** The ratio to Leasehold in the same variant of the same scenario, if it was measured. */
    OptionalDouble ratioToLeasehold(List<Result> all) {
        return all.stream()
                .filter(other -> other.isLeasehold()
                        && other.variant.equals(variant)
                        && other.scenario.name().equals(scenario.name()))
                .findFirst()
                .map(leasehold -> ratioTo(leasehold, Measurement::opsPerSecond))
                .orElseGet(OptionalDouble::empty);
    }
}
