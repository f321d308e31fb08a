package dev.leasehold.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Kind;
import org.junit.jupiter.api.Test;

class NoStaleCommitTest {
    private final Tale tale = new Tale();

    @Test
    void a_commit_after_a_greater_fence_was_granted_is_found() {
        tale.acquired("g1", 1, 0, 10, 5).acquired("g2", 2, 20, 30, 5).commit(Kind.OK, 1, 40, 50);

        assertThat(tale.checkedBy(new NoStaleCommit())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence())
                    .contains("committed under fence 1, although fence 2 had been granted before");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void a_commit_after_one_of_a_greater_fence_is_found_even_if_nobody_knows_of_that_grant() {
        tale.commit(Kind.OK, 7, 0, 10).commit(Kind.OK, 6, 20, 30);

        assertThat(tale.checkedBy(new NoStaleCommit())).hasSize(1);
    }

    @Test
    void a_guard_may_outlive_the_time_of_its_grant() {
        tale.acquired("g1", 1, 0, 10, 5)
                .commit(Kind.OK, 1, 5000, 5010)
                .acquired("g2", 2, 4000, 5005, 5)
                .commit(Kind.OK, 2, 5020, 5030);

        assertThat(tale.checkedBy(new NoStaleCommit())).isEmpty();
    }

    @Test
    void commits_that_failed_or_may_have_prove_nothing() {
        tale.acquired("g1", 1, 0, 10, 5)
                .acquired("g2", 2, 20, 30, 5)
                .commit(Kind.FAIL, 1, 40, 50)
                .commit(Kind.UNKNOWN, 1, 40, 50)
                .commit(Kind.OK, 2, 60, 70);

        assertThat(tale.checkedBy(new NoStaleCommit())).isEmpty();
    }

    @Test
    void a_commit_of_unknown_outcome_that_is_there_at_the_end_has_committed() {
        tale.acquired("g1", 1, 0, 10, 5)
                .acquired("g2", 2, 20, 30, 5)
                .commit(Kind.UNKNOWN, 1, 40, 50, "stale")
                .commit(Kind.UNKNOWN, 2, 60, 70, "fresh")
                .leftOfKey(80, 90, "stale", "fresh");

        assertThat(tale.checkedBy(new NoStaleCommit())).hasSize(1);
    }
}
