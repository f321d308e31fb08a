package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Kind;
import org.junit.jupiter.api.Test;

class NoCommitLostTest {
    private final Tale tale = new Tale();

    @Test
    void a_guarded_commit_that_is_not_there_at_the_end_is_found() {
        tale.commit(Kind.OK, 1, 0, 10, "x").commit(Kind.OK, 2, 20, 30, "y").leftOfKey(40, 50, "y");

        assertThat(tale.checkedBy(new NoCommitLost())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).isEqualTo("key 'k': a guarded commit of [x] was lost");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void what_nobody_committed_is_found() {
        tale.commit(Kind.FAIL, 1, 0, 10, "x").commit(Kind.OK, 2, 20, 30, "y").leftOfKey(40, 50, "x", "y");

        assertThat(tale.checkedBy(new NoCommitLost()))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence()).contains("nobody has committed [x]"));
    }

    @Test
    void unknown_commits_and_unguarded_writes_may_be_there_or_not() {
        tale.commit(Kind.UNKNOWN, 1, 0, 10, "a")
                .commit(Kind.OK, 1, 0, NEVER, "b")
                .write(Kind.OK, 0, 10, "c")
                .write(Kind.OK, 0, 10, "d")
                .leftOfKey(40, 50, "a", "c");

        assertThat(tale.checkedBy(new NoCommitLost())).isEmpty();
    }

    @Test
    void without_a_look_at_the_end_nothing_is_concluded() {
        tale.commit(Kind.OK, 1, 0, 10, "x");

        assertThat(tale.checkedBy(new NoCommitLost())).isEmpty();
    }
}
