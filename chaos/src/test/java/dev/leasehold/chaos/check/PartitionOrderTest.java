package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import dev.leasehold.queue.internal.Ksuid;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionOrderTest {
    private static final ItemFacts A = item("a", "1", 1);
    private static final ItemFacts B = item("b", "2", 1);
    private static final ItemFacts AGAIN = item("a", "3", 2);
    private final Tale tale = new Tale();

    @Test
    void an_item_that_is_leased_before_an_older_one_is_found() {
        tale.produced(0, 10, "a").produced(20, 30, "b").leased(40, 50, 1000, B).leased(60, 70, 1000, A);

        assertThat(tale.checkedBy(new PartitionOrder())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence())
                    .isEqualTo("partition 0 of queue 'q': item a was ready before item b and was leased after it");
            assertThat(violation.excerpt()).hasSize(8);
        });
    }

    @Test
    void produces_that_overlap_have_no_order_and_neither_have_leases() {
        accepts(tale.produced(0, 25, "a")
                .produced(20, 30, "b")
                .leased(40, 50, 1000, B)
                .leased(60, 70, 1000, A));
        accepts(new Tale()
                .produced(0, 10, "a")
                .produced(20, 30, "b")
                .leased(40, 65, 1000, B)
                .leased(60, 70, 1000, A));
    }

    @Test
    void the_items_of_one_produce_have_their_order_and_so_have_those_of_one_lease() {
        refuses(tale.produced(0, 10, "a", "b").leased(40, 50, 1000, B).leased(60, 70, 1000, A));
        refuses(new Tale().produced(0, 10, "a", "b").leased(40, 50, 1000, B, A));
        refuses(new Tale().produced(0, 10, "a").produced(20, 30, "b").leased(40, 50, 1000, B, A));
        accepts(new Tale().produced(0, 10, "a", "b").leased(40, 50, 1000, A, B));
    }

    @Test
    void a_retried_item_stands_behind_what_was_there_and_before_what_comes() {
        refuses(retried().produced(0, 10, "b").leased(60, 70, 1000, AGAIN).leased(80, 90, 1000, B));
        refuses(new Tale()
                .produced(0, 1, "a")
                .leased(12, 14, 1000, A)
                .settle(Operation.RETRY, Kind.OK, 20, 30, A)
                .produced(40, 50, "b")
                .leased(60, 70, 1000, B)
                .leased(80, 90, 1000, AGAIN));
    }

    @Test
    void a_retry_that_may_have_been_done_proves_nothing_for_those_who_come_later() {
        accepts(tale.produced(0, 1, "a")
                .leased(12, 14, 1000, A)
                .settle(Operation.RETRY, Kind.UNKNOWN, 20, 30, A)
                .produced(40, 50, "b")
                .leased(60, 70, 1000, B)
                .leased(80, 90, 1000, AGAIN));
    }

    @Test
    void an_item_whose_lease_ended_stands_behind_what_was_there_before_its_deadline() {
        refuses(tale.produced(0, 10, "a")
                .leased(20, 30, 100, A)
                .produced(40, 50, "b")
                .leased(200, 210, 1000, AGAIN)
                .leased(220, 230, 1000, B));
        accepts(new Tale()
                .produced(0, 10, "a")
                .leased(20, 30, 100, A)
                .produced(110, 125, "b")
                .leased(200, 210, 1000, AGAIN)
                .leased(220, 230, 1000, B));
    }

    @Test
    void a_lease_may_have_ended_before_its_answer_came() {
        accepts(tale.produced(0, 10, "a")
                .leased(20, 500, 100, A)
                .produced(400, 410, "b")
                .leased(600, 610, 1000, AGAIN)
                .leased(620, 630, 1000, B));
    }

    @Test
    void an_answer_that_comes_when_its_lease_is_over_says_nothing_about_when_it_ended() {
        ItemFacts bAgain = item("b", "4", 2);
        accepts(tale.produced(0, 10, "a", "b").leased(20, 300, 100, A, B).leased(200, 210, 1000, AGAIN, bAgain));
    }

    @Test
    void a_scheduled_item_may_come_at_any_time_but_not_before_it_was_asked_for() {
        accepts(tale.produce(Kind.OK, 0, 10, List.of(ItemFacts.of("a").turn(Turn.LATER)))
                .produced(20, 30, "b")
                .leased(40, 50, 1000, B)
                .leased(60, 70, 1000, A));
        refuses(new Tale()
                .produced(0, 10, "a")
                .produce(Kind.OK, 20, 30, List.of(ItemFacts.of("b").turn(Turn.LATER)))
                .leased(40, 50, 1000, B)
                .leased(60, 70, 1000, A));
    }

    @Test
    void an_item_may_be_passed_over_while_a_lease_that_failed_has_its_hands_on_it() {
        accepts(tale.produced(0, 10, "a")
                .produced(20, 30, "b")
                .lease(Kind.FAIL, 35, 38)
                .leased(40, 50, 1000, B)
                .leased(60, 70, 1000, A));
        refuses(new Tale()
                .produced(0, 10, "a")
                .produced(20, 30, "b")
                .leased(40, 50, 1000, B)
                .lease(Kind.FAIL, 55, 58)
                .leased(60, 70, 1000, A));
        refuses(new Tale()
                .lease(Kind.FAIL, 35, 38)
                .produced(20_000, 20_010, "a")
                .produced(20_020, 20_030, "b")
                .leased(20_040, 20_050, 1000, B)
                .leased(20_060, 20_070, 1000, A));
    }

    @Test
    void a_lease_in_doubt_is_no_excuse_if_the_id_of_the_item_shows_that_nobody_had_it() {
        refuses(passedOver().leased(60, 70, 1000, A));
        accepts(passedOver().leased(60, 70, 1000, item("a", "1b", 1))); // given back
    }

    @Test
    void a_lease_that_was_rolled_back_by_a_fault_leaves_the_id_as_it_was() {
        accepts(passedOver().fault(34, 36).leased(60, 70, 1000, A));
        refuses(new Tale()
                .fault(0, 10)
                .producedAs(20_000, 20_010, A)
                .producedAs(20_020, 20_030, B)
                .lease(Kind.UNKNOWN, 20_035, 20_038)
                .leased(20_040, 20_050, 1000, B)
                .leased(20_060, 20_070, 1000, A));
    }

    @Test
    void the_ids_of_two_attempts_show_whether_the_item_was_given_back_in_between() {
        ItemFacts before = item("a", Ksuid.encode(7, 0, 1, 3), 1);
        refuses(retriedAndPassedOver(before).leased(60, 70, 1000, item("a", Ksuid.encode(7, 0, 9, 3), 2)));
        accepts(retriedAndPassedOver(before).leased(60, 70, 1000, item("a", Ksuid.encode(7, 0, 9, 4), 2)));
    }

    private static Tale retriedAndPassedOver(ItemFacts before) {
        return new Tale()
                .producedAs(0, 1, before)
                .leased(2, 3, 1000, before)
                .settle(Operation.RETRY, Kind.OK, 4, 5, before)
                .producedAs(20, 30, B)
                .lease(Kind.UNKNOWN, 35, 38)
                .leased(40, 50, 1000, B);
    }

    /** Item b is leased before item a, after a lease of which nobody knows what it did. */
    private static Tale passedOver() {
        return new Tale()
                .producedAs(0, 10, A)
                .producedAs(20, 30, B)
                .lease(Kind.UNKNOWN, 35, 38)
                .leased(40, 50, 1000, B);
    }

    @Test
    void an_item_that_was_given_back_has_had_its_turn_before() {
        accepts(tale.produced(0, 10, "a")
                .produced(20, 30, "b")
                .leased(32, 34, 1000, A)
                .leased(36, 50, 1000, B)
                .settle(Operation.GIVE_BACK, Kind.OK, 52, 54, A)
                .leased(60, 70, 1000, item("a", "1b", 1)));
    }

    @Test
    void what_consumers_hand_out_was_leased_nobody_knows_when() {
        accepts(tale.produced(0, 10, "a").produced(20, 30, "b").handed(40, B).handed(60, A));
    }

    @Test
    void a_lease_that_was_not_seen_leaves_the_order_open() {
        accepts(tale.produced(0, 10, "a")
                .produced(20, 30, "b")
                .leased(40, 50, 1000, B)
                .leased(60, 70, 1000, AGAIN));
    }

    private Tale retried() {
        return tale.produced(0, 1, "a").leased(12, 14, 1000, A).settle(Operation.RETRY, Kind.OK, 20, 30, A);
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new PartitionOrder())).isNotEmpty();
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new PartitionOrder())).isEmpty();
    }
}
