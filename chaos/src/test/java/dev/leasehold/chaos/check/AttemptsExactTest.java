package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.DEAD;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class AttemptsExactTest {
    private static final ItemFacts FIRST = item("a", "1", 1);
    private static final ItemFacts SECOND = item("a", "2", 2);
    private final Tale tale = new Tale();

    @Test
    void a_number_that_comes_twice_is_found() {
        tale.leased(0, 10, 5, FIRST).leased(20, 30, 5, item("a", "2", 1));

        assertThat(tale.checkedBy(new AttemptsExact())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).isEqualTo("item a was leased twice as attempt 1");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void a_number_may_come_twice_if_the_item_was_given_back() {
        accepts(tale.leased(0, 10, 5, FIRST)
                .settle(Operation.GIVE_BACK, Kind.UNKNOWN, 12, 14, FIRST)
                .leased(20, 30, 5, item("a", "1b", 1))
                .leased(40, 50, 5, SECOND));
        refuses(new Tale()
                .leased(0, 10, 5, FIRST)
                .leased(20, 30, 5, item("a", "1b", 1))
                .settle(Operation.GIVE_BACK, Kind.OK, 32, 34, item("a", "1b", 1)));
    }

    @Test
    void a_number_that_is_missing_is_found_unless_a_lease_may_be_hidden() {
        refuses(tale.leased(0, 10, 5, FIRST).leased(20, 30, 5, item("a", "2", 3)));
        accepts(new Tale().leased(0, 10, 5, FIRST).lease(Kind.UNKNOWN, 12, 14).leased(20, 30, 5, item("a", "2", 3)));
        refuses(new Tale().leased(0, 10, 5, FIRST).lease(Kind.FAIL, 12, 14).leased(20, 30, 5, item("a", "2", 3)));
        refuses(new Tale()
                .leased(0, 10, 5, FIRST)
                .leased(20, 30, 5, item("a", "2", 3))
                .lease(Kind.UNKNOWN, 40, 50));
    }

    @Test
    void a_lease_that_waits_during_a_fault_may_hide_another() {
        accepts(tale.leased(0, 60, 5, item("b", "7", 1)).fault(20, 22).leased(50, 55, 5, SECOND));
        refuses(new Tale().leased(0, 60, 5, item("b", "7", 1)).fault(70, 80).leased(50, 55, 5, SECOND));
        refuses(new Tale().leased(0, 10, 5, item("b", "7", 1)).fault(20, 22).leased(50, 55, 5, SECOND));
    }

    @Test
    void consumers_lease_more_than_they_are_heard_of() {
        accepts(tale.handed(5, FIRST).handed(20, item("a", "9", 4)));
    }

    @Test
    void numbers_that_go_back_are_found() {
        refuses(tale.leased(0, 10, 5, SECOND).leased(20, 30, 5, FIRST));
    }

    @Test
    void a_lease_that_was_not_counted_is_found() {
        refuses(tale.leased(0, 10, 5, item("a", "1", 0)));
    }

    @Test
    void more_attempts_than_allowed_are_found() {
        refuses(tale.queue(1, "", 1000).leased(0, 10, 5, FIRST).leased(20, 30, 5, SECOND));
        accepts(new Tale().queue(2, "", 1000).leased(0, 10, 5, FIRST).leased(20, 30, 5, SECOND));
    }

    @Test
    void a_dead_letter_is_counted_anew() {
        accepts(tale.leased(0, 10, 5, FIRST).leasedFrom(DEAD, 20, 30, 5, item("a", "7", 1)));
        refuses(new Tale()
                .leased(0, 10, 5, FIRST)
                .leasedFrom(DEAD, 20, 30, 5, item("a", "7", 1))
                .leasedFrom(DEAD, 40, 50, 5, item("a", "8", 1)));
    }

    @Test
    void a_handler_may_begin_with_an_item_that_somebody_else_has_leased_again_meanwhile() {
        accepts(new Tale().handed(20, item("a", "2", 2)).handed(40, item("a", "1", 1)));
        refuses(new Tale().leased(10, 20, 1000, item("a", "2", 2)).leased(40, 50, 1000, item("a", "1", 1)));
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new AttemptsExact())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new AttemptsExact())).isEmpty();
    }
}
