package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class SettledUnderLeaseTest {
    private static final ItemFacts FIRST = item("a", "1", 1);
    private static final ItemFacts SECOND = item("a", "2", 2);
    private final Tale tale = new Tale();

    @Test
    void a_complete_of_what_was_given_back_is_found() {
        tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.OK, 20, 30, FIRST)
                .settle(Operation.COMPLETE, Kind.OK, 40, 50, FIRST);

        assertThat(tale.checkedBy(new SettledUnderLease())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence())
                    .isEqualTo("item a: a COMPLETE succeeded after its lease had ended by a GIVE_BACK");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void a_complete_of_what_somebody_else_leased_meanwhile_is_found() {
        tale.leased(0, 10, 100, FIRST)
                .leased(300, 310, 1000, SECOND)
                .settle(Operation.COMPLETE, Kind.OK, 400, 410, FIRST);

        assertThat(tale.checkedBy(new SettledUnderLease()))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence()).contains("somebody else had leased it"));
    }

    @Test
    void what_was_given_back_and_leased_again_may_be_completed_under_its_new_id() {
        ItemFacts again = item("a", "1b", 1);
        accepts(tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.OK, 20, 30, FIRST)
                .leased(35, 38, 1000, again)
                .settle(Operation.COMPLETE, Kind.OK, 40, 50, again));
        assertThat(new Tale()
                        .leased(0, 10, 1000, FIRST)
                        .settle(Operation.GIVE_BACK, Kind.OK, 20, 30, FIRST)
                        .leased(35, 38, 1000, again)
                        .settle(Operation.COMPLETE, Kind.OK, 40, 50, FIRST)
                        .checkedBy(new SettledUnderLease()))
                .hasSize(1);
    }

    @Test
    void overlapping_and_unknown_calls_prove_nothing() {
        accepts(tale.leased(0, 10, 100, FIRST)
                .settle(Operation.RETRY, Kind.UNKNOWN, 20, 30, FIRST)
                .settle(Operation.RETRY, Kind.OK, 20, 45, FIRST)
                .settle(Operation.COMPLETE, Kind.OK, 40, 50, FIRST)
                .leased(45, 60, 100, SECOND));
    }

    @Test
    void a_late_call_that_was_refused_is_as_it_should_be() {
        accepts(tale.leased(0, 10, 100, FIRST)
                .leased(300, 310, 1000, SECOND)
                .settle(Operation.COMPLETE, Kind.FAIL, 400, 410, FIRST)
                .settle(Operation.COMPLETE, Kind.OK, 420, 430, SECOND));
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new SettledUnderLease())).isEmpty();
    }
}
