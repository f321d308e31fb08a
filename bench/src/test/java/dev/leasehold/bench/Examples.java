package dev.leasehold.bench;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** Results that nobody has measured. */
final class Examples {
    static final Variant VARIANT = Variant.threads(8);

    private static final Contender.Opener NEVER = (bench, variant) -> {
        throw new UnsupportedOperationException();
    };

    private Examples() {}

    static Contender contender(String name) {
        return Contender.of(name, "1.0", "settings of " + name, NEVER);
    }

    static Scenario scenario(Contender... contenders) {
        return new Scenario(Group.LOCKS, "X1", "a & b", "one thing", List.of(VARIANT), List.of(contenders));
    }

    static Result result(Scenario scenario, String name, double... rates) {
        List<Measurement> repeats =
                DoubleStream.of(rates).mapToObj(Examples::measurement).toList();
        return new Result(scenario, VARIANT, contender(name), repeats);
    }

    static Measurement measurement(double rate) {
        return new Measurement(
                Math.round(rate * 10),
                10,
                1.5,
                2.5,
                3.5,
                800,
                2,
                OptionalDouble.of(2),
                OptionalDouble.empty(),
                1,
                OptionalDouble.of(0.5),
                Map.of("table MB", 7.0));
    }
}
