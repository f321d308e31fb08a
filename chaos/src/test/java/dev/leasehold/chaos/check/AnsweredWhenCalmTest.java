package dev.leasehold.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class AnsweredWhenCalmTest {
    private static final Invariant AFTER_A_SECOND = new AnsweredWhenCalm(Tale.nanos(1000));

    private final Tale tale = new Tale();

    @Test
    void a_call_that_fails_while_nothing_is_wrong_is_found() {
        tale.acquire(Kind.UNKNOWN, 0, 5000);

        assertThat(tale.checkedBy(AFTER_A_SECOND))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence())
                        .isEqualTo("ACQUIRE of 'k' by w1 failed, although nothing was wrong"));
        refuses(new Tale().extend(Kind.UNKNOWN, "a", 0, 5000, 1000));
        refuses(new Tale().under("a", Operation.RELEASE, Kind.UNKNOWN, 0, 5000));
    }

    @Test
    void so_is_one_between_two_faults() {
        refuses(tale.fault(0, 100).acquire(Kind.UNKNOWN, 1200, 1300).fault(1400, 1500));
    }

    @Test
    void one_that_met_a_fault_or_began_before_all_had_recovered_proves_nothing() {
        accepts(tale.fault(0, 100).acquire(Kind.UNKNOWN, 1000, 5000));
        accepts(new Tale().acquire(Kind.UNKNOWN, 0, 5000).fault(4000, 4100));
        accepts(new Tale().fault(0, Tale.NEVER).acquire(Kind.UNKNOWN, 10_000, 15_000));
    }

    @Test
    void nor_does_one_that_was_answered_or_ended_by_its_caller_or_whose_process_was_killed() {
        accepts(tale.acquired("a", 1, 0, 10, 1000)
                .acquire(Kind.FAIL, 20, 30)
                .cancelled(40, 50)
                .impatient(40, 50)
                .acquire(Kind.UNKNOWN, 60, Tale.NEVER));
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(AFTER_A_SECOND)).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(AFTER_A_SECOND)).isEmpty();
    }
}
