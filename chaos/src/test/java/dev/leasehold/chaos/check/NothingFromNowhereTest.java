package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.DEAD;
import static dev.leasehold.chaos.check.Tale.NEVER;
import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Kind;
import org.junit.jupiter.api.Test;

class NothingFromNowhereTest {
    private final Tale tale = new Tale();

    @Test
    void an_item_of_a_refused_produce_is_found() {
        tale.produce(Kind.FAIL, 0, 10, Tale.items("a")).leased(20, 30, 100, item("a", "1", 1));

        assertThat(tale.checkedBy(new NothingFromNowhere())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).contains("item a is in queue 'q', but nobody's produce put it there");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void an_item_that_is_there_before_anybody_asked_for_it_is_found() {
        tale.leased(20, 30, 100, item("a", "1", 1)).produced(40, 50, "a");

        assertThat(tale.checkedBy(new NothingFromNowhere())).hasSize(1);
    }

    @Test
    void an_item_that_nobody_ever_produced_is_found() {
        tale.left(QUEUE, 20, 30, item("a", "1", 0));

        assertThat(tale.checkedBy(new NothingFromNowhere())).hasSize(1);
    }

    @Test
    void a_produce_that_may_have_been_done_explains_its_item_also_in_the_dead_queue() {
        tale.produce(Kind.UNKNOWN, 0, NEVER, Tale.items("a", "b"))
                .leased(5, 30, 100, item("a", "1", 1))
                .left(DEAD, 40, 50, item("b", "2", 0));

        assertThat(tale.checkedBy(new NothingFromNowhere())).isEmpty();
    }

    @Test
    void what_a_guarded_transaction_wrote_is_no_item() {
        tale.commit(Kind.OK, 1, 0, 10, "x").leftOfKey(20, 30, "x");

        assertThat(tale.checkedBy(new NothingFromNowhere())).isEmpty();
    }
}
