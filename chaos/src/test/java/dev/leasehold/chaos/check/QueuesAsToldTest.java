package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class QueuesAsToldTest {
    private static final ItemFacts FIRST = item("a", "1", 1);

    @Test
    void a_queue_that_was_created_and_that_nobody_has_deleted_is_there() {
        assertThat(created().listed(40, 50).checkedBy(new QueuesAsTold()))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.sentence())
                            .isEqualTo("queue 'q' was created, nobody has deleted it, and it is not there");
                    assertThat(violation.excerpt()).hasSize(4);
                });
        accepts(created().listed(40, 50, ItemFacts.of(QUEUE)));
        accepts(created().listed(15, 50));
        accepts(created().deleted(Kind.UNKNOWN, 22, 23).listed(40, 50));
        refuses(created().deleted(Kind.FAIL, 22, 23).listed(40, 50));
    }

    @Test
    void a_queue_that_was_deleted_and_that_nobody_has_created_again_is_not_there() {
        refuses(created().deleted(Kind.OK, 22, 23).listed(40, 50, ItemFacts.of(QUEUE)));
        accepts(created().deleted(Kind.OK, 22, 45).listed(40, 50, ItemFacts.of(QUEUE)));
        accepts(created()
                .deleted(Kind.OK, 22, 23)
                .admin(Operation.CREATE_QUEUE, Kind.UNKNOWN, QUEUE, "", 24, 25)
                .listed(40, 50, ItemFacts.of(QUEUE)));
    }

    @Test
    void a_queue_that_was_deleted_takes_nothing_and_gives_nothing() {
        refuses(created().deleted(Kind.OK, 22, 23).produced(40, 50, "a"));
        refuses(created().deleted(Kind.OK, 22, 23).leased(40, 50, 1000, FIRST));
        accepts(created().deleted(Kind.OK, 22, 23).leased(40, 50, 1000));
        accepts(created().deleted(Kind.OK, 22, 41).produced(40, 50, "a"));
    }

    @Test
    void what_was_in_a_deleted_queue_does_not_come_back_with_another_of_its_name() {
        refuses(again().leased(40, 50, 1000, FIRST));
        refuses(again().left(QUEUE, 40, 50, FIRST));
        accepts(again().leased(22, 50, 1000, FIRST));
        accepts(again().leasedFrom("q-dead", 40, 50, 1000, FIRST));
    }

    /** Created, used, deleted, and created again. */
    private static Tale again() {
        return created()
                .deleted(Kind.OK, 22, 23)
                .admin(Operation.CREATE_QUEUE, Kind.OK, QUEUE, "", 24, 25)
                .produced(20, 21, "a");
    }

    private static Tale created() {
        return new Tale().admin(Operation.CREATE_QUEUE, Kind.OK, QUEUE, "", 10, 20);
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new QueuesAsTold())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new QueuesAsTold())).isEmpty();
    }
}
