package dev.leasehold.chaos.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.model.Explorer.Outcome;
import dev.leasehold.chaos.model.LockModel.Rule;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockModelTest {
    private static final LockModel MODEL = LockModel.of(2, 3);
    private static final int LIMIT = 3_000_000;

    @Test
    void no_state_violates_anything() {
        Outcome<LockState> outcome = Explorer.explore(MODEL, LIMIT);

        assertThat(outcome.violation()).isEmpty();
        assertThat(outcome.states()).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @CsvSource({
        "ACQUIRE_CHECKS, OneHolder, 6",
        "FENCE_GROWS, FencesGrow, 8",
        "EXTEND_CHECKS, OneHolder, 11",
        "RELEASE_CHECKS, OneHolder, 13",
        "GUARD_CHECKS, NoStaleCommit, 11",
        "GUARD_HOLDS, NoStaleCommit, 11",
        "CLOCK_IS_FRESH, OneHolder, 7"
    })
    void every_rule_is_needed_and_the_checker_sees_it_too(Rule rule, String invariant, int steps) {
        Trace<LockState> trace =
                Explorer.explore(MODEL.without(rule), LIMIT).violation().orElseThrow();

        assertThat(trace.violation()).as(trace.toString()).isEqualTo(invariant);
        assertThat(trace.steps().size()).as(trace.toString()).isEqualTo(steps);
        assertThat(Checker.check(trace.history()))
                .as(trace.toString())
                .extracting(Violation::invariant)
                .contains(invariant);
    }

    @Test
    void a_holder_that_counts_from_the_answer_believes_too_long() {
        Trace<LockState> trace = Explorer.explore(MODEL.without(Rule.HOLDER_COUNTS_FROM_SENDING), LIMIT)
                .violation()
                .orElseThrow();

        assertThat(trace.violation()).isEqualTo("OneHolder");
        assertThat(trace.steps()).as(trace.toString()).hasSize(8);
    }

    @Test
    void what_the_model_allows_the_checker_accepts() {
        LockModel large = LockModel.of(3, 8);
        for (int seed = 0; seed < 3_000; seed++) {
            Trace<LockState> trace = Explorer.wander(large, new Random(seed));
            assertThat(Checker.check(trace.history()))
                    .as("seed %s: %s", seed, trace)
                    .isEmpty();
        }
    }
}
