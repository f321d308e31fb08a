package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.DEAD;
import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import org.junit.jupiter.api.Test;

class DeadLettersOnceTest {
    private static final ItemFacts FIRST = item("a", "1", 1);
    private static final ItemFacts LETTER = item("a", "7", 0);
    private final Tale tale = new Tale().queue(2, DEAD, 100_000).produced(0, 10, "a");

    @Test
    void a_letter_that_is_there_twice_is_found() {
        tale.leased(20, 30, 5, FIRST).leased(40, 50, 5, item("a", "2", 2));
        tale.left(DEAD, 60, 70, LETTER, item("a", "8", 0));

        assertThat(tale.checkedBy(new DeadLettersOnce()))
                .singleElement()
                .satisfies(
                        violation -> assertThat(violation.sentence()).isEqualTo("item a is there 2 times at the end"));
    }

    @Test
    void an_item_that_is_in_both_queues_at_the_end_is_found() {
        refuses(dying().left(DEAD, 60, 70, LETTER).left(QUEUE, 60, 70, FIRST));
    }

    @Test
    void an_item_that_is_leased_after_its_letter_arrived_is_found() {
        refuses(dying().leasedFrom(DEAD, 60, 70, 5, item("a", "7", 1)).leased(80, 90, 5, item("a", "2", 2)));
    }

    @Test
    void an_item_that_was_completed_has_no_letter() {
        refuses(dying().settle(Operation.COMPLETE, Kind.OK, 45, 200, FIRST)
                .leasedFrom(DEAD, 60, 70, 5, item("a", "7", 1)));
    }

    @Test
    void a_letter_may_be_completed_after_it_was_leased() {
        accepts(dying().leasedFrom(DEAD, 60, 70, 5, item("a", "7", 1))
                .settleIn(DEAD, Operation.COMPLETE, Kind.OK, 80, 90, item("a", "7", 1))
                .left(DEAD, 100, 110)
                .left(QUEUE, 100, 110));
    }

    @Test
    void an_item_that_died_for_no_reason_is_found() {
        tale.leased(20, 30, 5, FIRST).left(DEAD, 60, 70, LETTER);

        assertThat(tale.checkedBy(new DeadLettersOnce()))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence())
                        .isEqualTo("item a is in dead queue 'q-dead' after 1 attempts, for no reason"));
    }

    @Test
    void it_may_die_of_its_attempts_of_hidden_ones_and_of_its_time() {
        accepts(tale.leased(20, 30, 5, FIRST).lease(Kind.UNKNOWN, 40, 50).left(DEAD, 60, 70, LETTER));
        accepts(new Tale().queue(2, DEAD, 50).produced(0, 10, "a").left(DEAD, 60, 70, LETTER));
    }

    private Tale dying() {
        return tale.leased(20, 30, 5, FIRST).settle(Operation.RETRY, Kind.OK, 40, 50, FIRST.turn(Turn.DEAD));
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new DeadLettersOnce())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new DeadLettersOnce())).isEmpty();
    }
}
