package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

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

    /** The rate of this one divided by Leasehold's: the median of the repeats, each against its neighbour. */
    OptionalDouble ratioTo(Result leasehold) {
        int count = Math.min(repeats.size(), leasehold.repeats.size());
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double theirs = leasehold.repeats.get(i).opsPerSecond();
            if (theirs > 0) {
                ratios.add(repeats.get(i).opsPerSecond() / theirs);
            }
        }
        ratios.sort(Comparator.naturalOrder());
        return ratios.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(ratios.get((ratios.size() - 1) / 2));
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
                .map(this::ratioTo)
                .orElseGet(OptionalDouble::empty);
    }
}
