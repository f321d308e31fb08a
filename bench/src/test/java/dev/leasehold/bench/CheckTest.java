package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is owed is judged by what was measured. */
class CheckTest {
    private final Scenario scenario = Examples.scenario();
    private final List<Result> results = List.of(
            Examples.result(scenario, Contender.LEASEHOLD, 100, 900, 400),
            Examples.result(scenario, "slow", 50, 100, 100),
            Examples.result(scenario, "fast", 200, 200, 200));

    private static OwedFigure twice(String... peers) {
        Figure figure = Figure.rateTimes(Contender.LEASEHOLD, peers);
        return new OwedFigure("X1.twice", Examples.VARIANT.label(), "rate", figure, true, 2);
    }

    private static OwedFigure p50(double atMost) {
        Figure figure = Figure.p50(Contender.LEASEHOLD);
        return new OwedFigure("X1.p50", Examples.VARIANT.label(), "p50", figure, false, atMost);
    }

    private Check check(OwedFigure... figures) {
        return new Check(List.of(figures), results);
    }

    @Test
    void a_figure_that_is_reached_is_met() {
        Check check = check(twice("slow"), p50(1.5));
        assertThat(check.exitStatus()).isZero();
        assertThat(check.text().lines())
                .anyMatch(line -> line.matches("X1.twice +8 threads: rate +at least 2 x +4.00 x +met"))
                .anyMatch(line -> line.matches("X1.p50 +8 threads: p50 +at most 1.5 ms +1.50 ms +met"))
                .contains("2 met, 0 short, 0 not measured");
    }

    @Test
    void a_figure_that_is_not_reached_falls_short_and_is_named_at_the_end() {
        Check check = check(twice("slow"), p50(1.4));
        assertThat(check.exitStatus()).isEqualTo(1);
        assertThat(check.text().lines())
                .anyMatch(line -> line.matches("X1.p50 +8 threads: p50 +at most 1.4 ms +1.50 ms +SHORT"))
                .contains("1 met, 1 short, 0 not measured")
                .endsWith("short: X1.p50");
    }

    @Test
    void a_figure_whose_systems_were_not_measured_is_neither() {
        Check check = check(twice("absent"));
        assertThat(check.exitStatus()).isZero();
        assertThat(check.text().lines())
                .anyMatch(line -> line.matches("X1.twice +8 threads: rate +at least 2 x +- +not measured"))
                .contains("0 met, 0 short, 1 not measured");
    }

    @Test
    void of_several_peers_the_best_that_was_measured_counts() {
        assertThat(twice("slow", "fast", "absent").measured(results)).hasValue(2);
    }

    @Test
    void a_further_figure_that_a_run_does_not_have_is_not_measured() {
        assertThat(Figure.extra("MB", Contender.LEASEHOLD, "table MB").in(results))
                .hasValue(7);
        assertThat(Figure.extra("MB", Contender.LEASEHOLD, "nothing").in(results))
                .isEmpty();
    }
}
