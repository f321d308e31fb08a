package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedInTimeTest {
    private static final Invariant WITHIN_100 = new ServedInTime(Tale.nanos(100), Tale.nanos(1000));
    private final Tale tale = new Tale().acquired("a", 1, 0, 10, 5000);

    @Test
    void a_waiter_that_is_not_served_after_a_release_is_found() {
        tale.acquired("b", 2, 20, 400, 5000).under("a", Operation.RELEASE, Kind.OK, 50, 60);

        assertThat(tale.checkedBy(WITHIN_100)).singleElement().satisfies(violation -> {
            assertThat(violation.sentence())
                    .isEqualTo("ACQUIRE of 'k' by w2 was not served within 100 ms of a RELEASE that it had waited for");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void a_waiter_that_gave_up_late_and_was_not_served_is_found() {
        refuses(tale.acquire(Kind.FAIL, 20, 400).under("a", Operation.RELEASE, Kind.OK, 50, 60));
    }

    @Test
    void it_is_enough_if_anybody_is_served() {
        accepts(tale.acquired("c", 3, 20, 400, 5000)
                .acquired("b", 2, 30, 150, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
    }

    @Test
    void who_came_after_the_release_or_may_have_been_served_proves_nothing() {
        accepts(tale.acquired("b", 2, 55, 400, 5000).under("a", Operation.RELEASE, Kind.OK, 50, 60));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 5000)
                .acquired("b", 2, 20, 400, 5000)
                .acquire(Kind.UNKNOWN, 20, 90)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
    }

    @Test
    void faults_are_excepted_and_some_time_after() {
        accepts(tale.fault(0, 20).acquired("b", 2, 20, 400, 5000).under("a", Operation.RELEASE, Kind.OK, 50, 60));
        refuses(new Tale()
                .fault(0, 1)
                .acquired("a", 1, 0, 10, 5000)
                .acquired("b", 2, 2000, 2400, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 2050, 2060));
    }

    @Test
    void who_lost_a_wake_up_to_a_fault_is_served_when_that_is_over() {
        refuses(tale.fault(40, 80).acquired("b", 2, 20, 1400, 5000).under("a", Operation.RELEASE, Kind.OK, 50, 60));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 5000)
                .fault(40, 80)
                .acquired("b", 2, 20, 1150, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
    }

    @Test
    void the_bound_counts_where_no_fault_cuts_it_short() {
        accepts(tale.fault(40, 80)
                .fault(1100, 1200)
                .acquired("b", 2, 20, 1400, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
        refuses(new Tale()
                .acquired("a", 1, 0, 10, 5000)
                .fault(40, 80)
                .fault(1100, 1200)
                .acquired("b", 2, 20, 2400, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 5000)
                .fault(40, Tale.NEVER)
                .acquired("b", 2, 20, 2400, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
    }

    @Test
    void what_is_not_known_of_a_call_that_ended_in_a_fault_is_no_excuse_for_long() {
        refuses(tale.fault(40, 80)
                .acquired("b", 2, 20, 1400, 5000)
                .acquire(Kind.UNKNOWN, 20, 70)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60));
    }

    @Test
    void a_lease_that_is_not_served_after_a_produce_is_found() {
        ItemFacts item = item("x", "1", 1);
        refuses(new Tale().leased(0, 400, 1000, item).produced(50, 60, "x"));
        refuses(new Tale().leased(0, 400, 1000).produced(50, 60, "x"));
        accepts(new Tale().leased(0, 150, 1000, item).produced(50, 60, "x"));
        accepts(new Tale()
                .leased(0, 400, 1000, item)
                .produce(Kind.OK, 50, 60, List.of(ItemFacts.of("x").turn(Turn.LATER))));
    }

    @Test
    void a_waiter_that_is_not_served_when_a_grant_ends_that_nobody_renews_is_found() {
        Tale lapsed = new Tale().acquired("a", 1, 0, 10, 1000).acquired("b", 2, 20, 3500, 5000);
        assertThat(lapsed.checkedBy(WITHIN_100))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence())
                        .isEqualTo("ACQUIRE of 'k' by w2 was not served within 100 ms of the end of an ACQUIRE"
                                + " that it had waited for"));
        accepts(new Tale().acquired("a", 1, 0, 10, 1000).acquired("b", 2, 20, 3100, 5000));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 1000)
                .acquired("b", 2, 20, 3500, 5000)
                .extend(Kind.UNKNOWN, "a", 500, 600, 5000));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 1000)
                .acquired("b", 2, 20, 3500, 5000)
                .under("a", Operation.RELEASE, Kind.UNKNOWN, 500, 600));
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(WITHIN_100)).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(WITHIN_100)).isEmpty();
    }
}
