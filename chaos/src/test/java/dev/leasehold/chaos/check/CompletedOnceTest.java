package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class CompletedOnceTest {
    private static final ItemFacts FIRST = item("a", "1", 1);
    private static final ItemFacts SECOND = item("a", "2", 2);
    private final Tale tale = new Tale();

    @Test
    void an_item_that_is_completed_twice_is_found_even_if_the_calls_overlap() {
        tale.settle(Operation.COMPLETE, Kind.OK, 0, 100, FIRST).settle(Operation.COMPLETE, Kind.OK, 50, 60, SECOND);

        assertThat(tale.checkedBy(new CompletedOnce())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).isEqualTo("item a was completed twice");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void a_completed_item_that_is_leased_again_is_found() {
        tale.settle(Operation.COMPLETE, Kind.OK, 0, 10, FIRST).leased(20, 30, 100, SECOND);

        assertThat(tale.checkedBy(new CompletedOnce())).hasSize(1);
    }

    @Test
    void a_completed_item_that_is_there_at_the_end_is_found() {
        tale.settle(Operation.COMPLETE, Kind.OK, 0, 10, FIRST).left(QUEUE, 20, 30, SECOND);

        assertThat(tale.checkedBy(new CompletedOnce())).hasSize(1);
    }

    @Test
    void completes_that_failed_or_may_have_do_not_count() {
        tale.settle(Operation.COMPLETE, Kind.UNKNOWN, 0, 10, FIRST)
                .settle(Operation.COMPLETE, Kind.FAIL, 0, 10, FIRST)
                .leased(20, 30, 100, SECOND)
                .settle(Operation.COMPLETE, Kind.OK, 40, 50, SECOND);

        assertThat(tale.checkedBy(new CompletedOnce())).isEmpty();
    }
}
