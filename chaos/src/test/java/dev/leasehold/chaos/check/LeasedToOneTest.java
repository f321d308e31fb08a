package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class LeasedToOneTest {
    private static final ItemFacts FIRST = item("a", "1", 1);
    private static final ItemFacts SECOND = item("a", "2", 2);
    private final Tale tale = new Tale();

    @Test
    void an_item_that_is_leased_again_before_its_deadline_is_found() {
        tale.leased(0, 10, 1000, FIRST).leased(900, 950, 1000, SECOND);

        assertThat(tale.checkedBy(new LeasedToOne())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).isEqualTo("item a was leased by w2 while w1 had it");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void after_its_deadline_it_may_be_leased_again() {
        accepts(tale.leased(0, 10, 1000, FIRST).leased(900, 1001, 1000, SECOND));
    }

    @Test
    void after_a_retry_was_invoked_it_may_be_leased_again_whatever_became_of_that() {
        accepts(tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.RETRY, Kind.UNKNOWN, 100, 5000, FIRST)
                .leased(90, 120, 1000, SECOND));
        refuses(new Tale()
                .leased(0, 10, 1000, FIRST)
                .settle(Operation.RETRY, Kind.FAIL, 100, 5000, FIRST)
                .leased(90, 120, 1000, SECOND));
    }

    @Test
    void a_lease_that_was_extended_lasts_longer() {
        refuses(tale.leased(0, 10, 1000, FIRST)
                .extendLease(Kind.OK, 900, 910, 1000, FIRST)
                .leased(1700, 1800, 1000, SECOND));
    }

    @Test
    void who_completes_had_it_until_then() {
        refuses(tale.leased(0, 10, 100, FIRST)
                .leased(300, 310, 1000, SECOND)
                .settle(Operation.COMPLETE, Kind.OK, 400, 410, FIRST));
    }

    @Test
    void what_was_given_back_may_be_leased_again_under_another_id() {
        accepts(tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.OK, 20, 30, FIRST)
                .leased(15, 40, 1000, item("a", "1b", 1)));
    }

    @Test
    void an_item_that_was_taken_from_its_consumer_by_a_give_back_that_was_repeated_is_found() {
        tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.UNKNOWN, 20, 30, FIRST)
                .leased(40, 50, 1000, item("a", "1b", 1))
                .settle(Operation.GIVE_BACK, Kind.OK, 60, 70, FIRST)
                .leased(80, 90, 1000, item("a", "1c", 1));

        assertThat(tale.checkedBy(new LeasedToOne()))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.sentence()).isEqualTo("item a was leased by w5 while w3 had it"));
        assertThat(tale.checkedBy(new AttemptsExact()))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.sentence()).isEqualTo("item a was leased twice as attempt 1"));
    }

    @Test
    void an_id_that_is_good_for_two_leases_is_found() {
        tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.UNKNOWN, 20, 30, FIRST)
                .by("w1")
                .leased(40, 50, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.OK, 60, 70, FIRST)
                .by("w1");

        assertThat(tale.checkedBy(new LeasedToOne()))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.sentence()).isEqualTo("item a was leased twice under one id"));
    }

    @Test
    void a_give_back_by_somebody_else_does_not_end_a_lease_although_the_id_is_the_same() {
        tale.leased(0, 10, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.OK, 20, 30, FIRST)
                .by("w1")
                .leased(40, 50, 1000, FIRST)
                .settle(Operation.GIVE_BACK, Kind.OK, 60, 70, FIRST)
                .by("w1")
                .leased(80, 90, 1000, FIRST);

        assertThat(tale.checkedBy(new LeasedToOne()))
                .extracting(Violation::sentence)
                .contains("item a was leased by w5 while w3 had it");
    }

    @Test
    void giving_back_proves_nothing_because_it_is_never_refused() {
        accepts(tale.leased(0, 10, 100, FIRST)
                .leased(200, 210, 1000, SECOND)
                .settle(Operation.GIVE_BACK, Kind.OK, 300, 310, FIRST));
    }

    @Test
    void of_what_a_consumer_hands_out_only_the_end_is_known() {
        accepts(tale.handed(0, FIRST).leased(10, 20, 1000, SECOND));
        refuses(new Tale()
                .handed(0, FIRST)
                .leased(10, 20, 1000, SECOND)
                .settle(Operation.COMPLETE, Kind.OK, 30, 40, FIRST));
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new LeasedToOne())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new LeasedToOne())).isEmpty();
    }
}
