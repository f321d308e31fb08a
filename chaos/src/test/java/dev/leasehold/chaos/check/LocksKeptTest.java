package dev.leasehold.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Facts;
import org.junit.jupiter.api.Test;

class LocksKeptTest {
    private static final long TTL = 30_000;
    private static final Invariant AFTER_A_SECOND = new LocksKept(Tale.nanos(1000));

    private final Tale tale = new Tale();

    @Test
    void a_lock_that_was_lost_while_it_could_be_renewed_is_found() {
        tale.fault(0, 5_000).lost(60_000, TTL, "told");

        assertThat(tale.checkedBy(AFTER_A_SECOND))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.sentence()).isEqualTo("lock 'k' was lost, although it could be renewed"));
    }

    @Test
    void so_is_one_that_was_lost_in_a_fault_that_was_too_short_for_that() {
        assertThat(tale.fault(55_000, 59_000).lost(60_000, TTL, "told").checkedBy(AFTER_A_SECOND))
                .hasSize(1);
    }

    @Test
    void a_handle_that_said_it_is_held_when_it_was_not_is_found_whatever_the_faults() {
        assertThat(tale.fault(0, Tale.NEVER).lost(60_000, TTL, Facts.UNTOLD).checkedBy(AFTER_A_SECOND))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.sentence()).isEqualTo("lock 'k' was lost, and its holder was not told"));
    }

    @Test
    void a_lock_may_be_lost_to_faults_that_leave_no_time_for_a_renewal() {
        assertThat(tale.fault(25_000, 59_000).lost(60_000, TTL, "told").checkedBy(AFTER_A_SECOND))
                .isEmpty();
        assertThat(new Tale()
                        .fault(20_000, 35_000)
                        .fault(45_000, 50_000)
                        .lost(60_000, TTL, "told")
                        .checkedBy(AFTER_A_SECOND))
                .isEmpty();
    }
}
