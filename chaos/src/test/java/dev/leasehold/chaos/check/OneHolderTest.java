package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class OneHolderTest {
    private final Tale tale = new Tale();

    @Test
    void two_grants_at_once_are_found_with_the_calls_that_show_it() {
        tale.acquired("a", 1, 0, 10, 1000).acquired("b", 2, 500, 510, 1000);

        assertThat(tale.checkedBy(new OneHolder())).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).isEqualTo("OneHolder");
            assertThat(violation.sentence()).contains("fence 1 was in force, and fence 2 was granted");
            assertThat(violation.excerpt()).hasSize(4);
            assertThat(violation.toString()).contains("OK ACQUIRE k grant a fence 1");
        });
    }

    @Test
    void the_time_counts_from_the_invocation_which_is_when_the_store_may_have_begun() {
        refuses(tale.acquired("a", 1, 0, 100, 1000).acquired("b", 2, 800, 999, 1000));
        accepts(new Tale().acquired("a", 1, 0, 100, 1000).acquired("b", 2, 800, 1000, 1000));
    }

    @Test
    void after_a_release_was_invoked_anybody_may_be_granted_whatever_became_of_it() {
        accepts(tale.acquired("a", 1, 0, 10, 1000)
                .under("a", Operation.RELEASE, Kind.UNKNOWN, 400, 5000)
                .acquired("b", 2, 390, 410, 1000));
    }

    @Test
    void a_release_that_found_nothing_may_be_the_repetition_of_one_that_did() {
        accepts(tale.acquired("a", 1, 0, 10, 1000)
                .under("a", Operation.RELEASE, Kind.FAIL, 20, 30)
                .acquired("b", 2, 390, 410, 1000));
    }

    @Test
    void an_extension_that_succeeded_makes_it_longer() {
        refuses(tale.acquired("a", 1, 0, 10, 1000)
                .extend(Kind.OK, "a", 900, 950, 1000)
                .acquired("b", 2, 1700, 1800, 1000));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 1000)
                .extend(Kind.UNKNOWN, "a", 900, 950, 1000)
                .acquired("b", 2, 1700, 1800, 1000));
    }

    @Test
    void an_extension_that_may_have_succeeded_makes_it_shorter() {
        accepts(tale.acquired("a", 1, 0, 10, 1000)
                .extend(Kind.UNKNOWN, "a", 20, NEVER, 100)
                .acquired("b", 2, 400, 410, 1000));
        refuses(new Tale()
                .acquired("a", 1, 0, 10, 1000)
                .extend(Kind.UNKNOWN, "a", 20, NEVER, 100)
                .acquired("b", 2, 100, 110, 1000));
    }

    @Test
    void a_handle_that_says_it_is_held_is_believed_up_to_the_question() {
        refuses(tale.acquired("a", 1, 0, 10, 100)
                .acquired("b", 2, 450, 460, 1000)
                .under("a", Operation.HELD, Kind.OK, 500, 501));
        accepts(new Tale()
                .acquired("a", 1, 0, 10, 100)
                .under("a", Operation.HELD, Kind.OK, 450, 501)
                .acquired("b", 2, 440, 460, 1000));
    }

    @Test
    void a_guarded_commit_shows_that_the_grant_was_still_in_force() {
        refuses(tale.acquired("g1", 1, 0, 10, 100)
                .acquired("b", 2, 450, 460, 1000)
                .commit(Kind.OK, 1, 500, 501));
    }

    @Test
    void a_repeated_acquire_of_the_same_grant_is_no_second_holder() {
        accepts(tale.acquired("a", 1, 0, 10, 1000).acquired("a", 1, 500, 510, 1000));
        refuses(new Tale()
                .acquired("a", 1, 0, 10, 1000)
                .acquired("a", 1, 500, 510, 1000)
                .acquired("b", 2, 1300, 1310, 1000));
    }

    @Test
    void acquires_without_a_known_grant_hold_nothing() {
        accepts(tale.acquire(Kind.UNKNOWN, 0, 10)
                .acquire(Kind.FAIL, 0, 10)
                .acquire(Kind.OK, 5, NEVER)
                .acquired("a", 1, 0, 10, 1000));
    }

    @Test
    void an_operator_who_takes_the_lock_away_ends_the_grant() {
        accepts(tale.acquired("a", 1, 0, 10, 1000)
                .under("x", Operation.FORCE_RELEASE, Kind.OK, 100, 110)
                .acquired("b", 2, 105, 120, 1000));
    }

    @Test
    void a_grant_that_ended_before_its_answer_came_held_nothing_for_sure() {
        accepts(tale.acquired("a", 1, 0, 1500, 1000).acquired("b", 2, 1200, 1400, 1000));
    }

    private static void refuses(Tale tale) {
        assertThat(tale.checkedBy(new OneHolder())).hasSize(1);
    }

    private static void accepts(Tale tale) {
        assertThat(tale.checkedBy(new OneHolder())).isEmpty();
    }
}
