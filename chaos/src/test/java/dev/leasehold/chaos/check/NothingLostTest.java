package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.DEAD;
import static dev.leasehold.chaos.check.Tale.NEVER;
import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import org.junit.jupiter.api.Test;

class NothingLostTest {
    private static final ItemFacts FIRST = item("a", "1", 1);
    private static final long DAY = 86_400_000;
    private final Tale tale = new Tale();

    @Test
    void an_acknowledged_item_that_is_nowhere_at_the_end_is_found() {
        tale.produced(0, 10, "a", "b").left(QUEUE, 20, 30, item("b", "2", 0));

        assertThat(tale.checkedBy(new NothingLost())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).isEqualTo("item a was acknowledged and is gone from queue 'q'");
            assertThat(violation.excerpt()).hasSize(2);
        });
    }

    @Test
    void what_may_have_been_completed_is_not_lost() {
        accepts(tale.produced(0, 10, "a")
                .settle(Operation.COMPLETE, Kind.OK, 12, NEVER, FIRST)
                .left(QUEUE, 20, 30));
        refuses(new Tale()
                .produced(0, 10, "a")
                .settle(Operation.COMPLETE, Kind.FAIL, 12, 13, FIRST)
                .left(QUEUE, 20, 30));
    }

    @Test
    void what_was_never_acknowledged_is_not_lost() {
        accepts(tale.produce(Kind.UNKNOWN, 0, 10, Tale.items("a"))
                .produce(Kind.FAIL, 0, 10, Tale.items("b"))
                .left(QUEUE, 20, 30));
    }

    @Test
    void without_a_look_at_the_end_nothing_is_concluded() {
        accepts(tale.produced(0, 10, "a"));
    }

    @Test
    void a_dead_letter_is_not_lost_if_it_is_in_the_dead_queue() {
        Tale dead = tale.queue(0, DEAD, DAY)
                .produced(0, 10, "a")
                .leased(20, 30, 100, FIRST)
                .settle(Operation.RETRY, Kind.OK, 40, 50, FIRST.turn(Turn.DEAD))
                .left(QUEUE, 60, 70);
        accepts(dead);
        refuses(dead.left(DEAD, 60, 70));
        accepts(dead.settleIn(DEAD, Operation.COMPLETE, Kind.OK, 51, 52, FIRST));
    }

    @Test
    void without_a_dead_queue_what_is_dead_is_gone() {
        accepts(tale.queue(1, "", DAY)
                .produced(0, 10, "a")
                .leased(20, 30, 100, FIRST)
                .left(QUEUE, 60, 70));
        refuses(new Tale().queue(1, "", DAY).produced(0, 10, "a").left(QUEUE, 60, 70));
        accepts(new Tale()
                .queue(1, "", DAY)
                .produced(0, 10, "a")
                .lease(Kind.UNKNOWN, 20, 30)
                .left(QUEUE, 60, 70));
    }

    @Test
    void an_item_whose_time_may_be_over_may_be_gone() {
        accepts(tale.queue(0, "", 50).produced(0, 10, "a").left(QUEUE, 60, 70));
        refuses(new Tale().queue(0, "", 500).produced(0, 10, "a").left(QUEUE, 60, 70));
    }

    @Test
    void an_administered_queue_that_was_neither_cleared_nor_deleted_since_loses_nothing() {
        refuses(administered().left(QUEUE, 60, 70));
        refuses(administered()
                .admin(Operation.DELETE_QUEUE, Kind.OK, QUEUE, "", 1, 2)
                .admin(Operation.CLEAR_QUEUE, Kind.FAIL, QUEUE, "", 50, 51)
                .left(QUEUE, 60, 70));
        accepts(administered()
                .admin(Operation.DELETE_QUEUE, Kind.UNKNOWN, QUEUE, "", 1, 2)
                .left(QUEUE, 60, 70));
        accepts(administered()
                .admin(Operation.CLEAR_QUEUE, Kind.OK, QUEUE, "", 50, 51)
                .left(QUEUE, 60, 70));
    }

    @Test
    void what_has_died_in_an_administered_queue_is_in_the_dead_queue_it_named_then() {
        Tale died = administered()
                .admin(Operation.UPDATE_QUEUE, Kind.OK, QUEUE, DEAD, 3, 4)
                .settle(Operation.RETRY, Kind.OK, 40, 50, FIRST.turn(Turn.DEAD))
                .left(QUEUE, 60, 70);
        refuses(died.left(DEAD, 60, 70));
        accepts(died.admin(Operation.CLEAR_QUEUE, Kind.OK, DEAD, "", 52, 53));
        accepts(administered()
                .settle(Operation.RETRY, Kind.OK, 40, 50, FIRST.turn(Turn.DEAD))
                .left(QUEUE, 60, 70)
                .left(DEAD, 60, 70));
    }

    /** A queue without a dead queue, into which an item was produced later. */
    private static Tale administered() {
        return new Tale()
                .admin(Operation.CREATE_QUEUE, Kind.OK, QUEUE, "", 1, 2)
                .produced(10, 20, "a");
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new NothingLost())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new NothingLost())).isEmpty();
    }
}
