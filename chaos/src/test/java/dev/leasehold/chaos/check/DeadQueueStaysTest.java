package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.DEAD;
import static dev.leasehold.chaos.check.Tale.NEVER;
import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class DeadQueueStaysTest {
    private final Tale tale = new Tale();

    @Test
    void a_listing_with_a_queue_whose_dead_queue_is_not_there_is_found() {
        tale.listed(0, 10, item(QUEUE, DEAD, 0), ItemFacts.of(DEAD))
                .listed(20, 30, item(QUEUE, DEAD, 0), ItemFacts.of("q-other"));

        assertThat(tale.checkedBy(new DeadQueueStays())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).isEqualTo("queue 'q' names dead queue 'q-dead', which is not there");
            assertThat(violation.excerpt()).hasSize(2);
        });
    }

    @Test
    void a_dead_queue_that_is_deleted_while_it_is_being_named_is_found() {
        tale.admin(Operation.CREATE_QUEUE, Kind.OK, DEAD, "", 0, 1)
                .admin(Operation.CREATE_QUEUE, Kind.OK, QUEUE, DEAD, 10, 20)
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 11, 19);

        assertThat(tale.checkedBy(new DeadQueueStays()))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence())
                        .isEqualTo("queue 'q' was told to name dead queue 'q-dead', which was deleted all the same"));
    }

    @Test
    void a_dead_queue_that_is_named_before_or_after_its_deletion_is_found_too() {
        refuses(named(Kind.OK).admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 30, 40));
        refuses(new Tale()
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 0, 1)
                .admin(Operation.UPDATE_QUEUE, Kind.OK, QUEUE, DEAD, 10, 20));
    }

    @Test
    void one_of_the_two_may_have_been_refused() {
        accepts(named(Kind.FAIL).admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 11, 19));
        accepts(named(Kind.OK).admin(Operation.DELETE_QUEUE, Kind.FAIL, DEAD, "", 11, 19));
        accepts(named(Kind.UNKNOWN).admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 11, 19));
    }

    @Test
    void a_queue_may_have_been_told_another_dead_queue_in_between_or_been_deleted() {
        accepts(named(Kind.OK)
                .admin(Operation.UPDATE_QUEUE, Kind.OK, QUEUE, "", 22, NEVER)
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 30, 40));
        accepts(named(Kind.OK)
                .admin(Operation.DELETE_QUEUE, Kind.OK, QUEUE, "", 22, 23)
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 30, 40));
        refuses(named(Kind.OK)
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 30, 40)
                .admin(Operation.UPDATE_QUEUE, Kind.OK, QUEUE, "", 41, 42));
    }

    @Test
    void the_dead_queue_may_have_been_created_again_in_between() {
        accepts(named(Kind.OK)
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 5, 15)
                .admin(Operation.CREATE_QUEUE, Kind.UNKNOWN, DEAD, "", 12, 13));
        refuses(named(Kind.OK)
                .admin(Operation.DELETE_QUEUE, Kind.OK, DEAD, "", 5, 15)
                .admin(Operation.CREATE_QUEUE, Kind.OK, DEAD, "", 25, 26));
    }

    private static Tale named(Kind kind) {
        return new Tale()
                .admin(Operation.CREATE_QUEUE, Kind.OK, DEAD, "", 0, 1)
                .admin(Operation.CREATE_QUEUE, kind, QUEUE, DEAD, 10, 20);
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new DeadQueueStays())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new DeadQueueStays())).isEmpty();
    }
}
