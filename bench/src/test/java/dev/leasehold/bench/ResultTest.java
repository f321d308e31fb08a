package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {
    private final Scenario scenario = Examples.scenario();
    private final Result leasehold = Examples.result(scenario, Contender.LEASEHOLD, 100, 200, 400);

    @Test
    void the_figures_are_those_of_the_repeat_with_the_median_rate() {
        assertThat(leasehold.median().opsPerSecond()).isEqualTo(200);
        assertThat(Examples.result(scenario, "peer", 9, 1).median().opsPerSecond())
                .isEqualTo(1);
    }

    @Test
    void each_repeat_is_compared_with_its_neighbour() {
        Result peer = Examples.result(scenario, "peer", 50, 20, 100);
        assertThat(peer.ratioToLeasehold(List.of(leasehold, peer))).hasValue(0.25);
    }

    @Test
    void leasehold_is_one_leasehold() {
        assertThat(leasehold.ratioToLeasehold(List.of(leasehold))).hasValue(1);
    }

    @Test
    void there_is_no_ratio_to_what_was_not_measured() {
        Result peer = Examples.result(scenario, "peer", 50);
        assertThat(peer.ratioToLeasehold(List.of(peer))).isEmpty();
        Result elsewhere =
                new Result(scenario, Variant.threads(1), Examples.contender(Contender.LEASEHOLD), leasehold.repeats());
        assertThat(peer.ratioToLeasehold(List.of(peer, elsewhere))).isEmpty();
    }

    @Test
    void a_result_without_measurement_is_none() {
        assertThatThrownBy(() -> Examples.result(scenario, "peer"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one measurement");
    }
}
