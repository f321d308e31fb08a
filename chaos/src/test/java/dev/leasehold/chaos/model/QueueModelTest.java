package dev.leasehold.chaos.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.model.Explorer.Outcome;
import dev.leasehold.chaos.model.QueueModel.Rule;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class QueueModelTest {
    private static final QueueModel MODEL = QueueModel.of(2, 2, 2);
    private static final int LIMIT = 3_000_000;

    @Test
    void no_state_violates_anything() {
        assertNone(MODEL);
        assertNone(QueueModel.of(1, 2, 4));
    }

    private static void assertNone(QueueModel model) {
        Outcome<QueueState> outcome = Explorer.explore(model, LIMIT);
        assertThat(outcome.violation()).isEmpty();
        assertThat(outcome.states()).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @CsvSource({
        "LEASE_CHECKS, LeasedToOne, 7",
        "LEASE_IN_ORDER, PartitionOrder, 8",
        "LEASE_COUNTS, AttemptsExact, 4",
        "EXPIRE_AT_DEADLINE, LeasedToOne, 8",
        "EXPIRE_KEEPS, NothingLost, 6",
        "NEW_ID, SettledUnderLease, 13",
        "COMPLETE_CHECKS, SettledUnderLease, 13",
        "DEATH_MOVES, DeadLettersOnce, 11",
        "DEATH_WAITS, DeadLettersOnce, 6"
    })
    void every_rule_is_needed_and_the_checker_sees_it_too(Rule rule, String invariant, int steps) {
        Trace<QueueState> trace =
                Explorer.explore(MODEL.without(rule), LIMIT).violation().orElseThrow();

        assertThat(trace.violation()).as(trace.toString()).isEqualTo(invariant);
        assertThat(trace.steps().size()).as(trace.toString()).isEqualTo(steps);
        assertThat(Checker.check(trace.history()))
                .as(trace.toString())
                .extracting(Violation::invariant)
                .contains(invariant);
    }

    @Test
    void what_the_model_allows_the_checker_accepts() {
        QueueModel large = QueueModel.of(4, 3, 9);
        for (int seed = 0; seed < 3_000; seed++) {
            Trace<QueueState> trace = Explorer.wander(large, new Random(seed));
            assertThat(Checker.check(trace.history()))
                    .as("seed %s: %s", seed, trace)
                    .isEmpty();
        }
    }
}
