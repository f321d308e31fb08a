package dev.leasehold.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.junit.jupiter.api.Test;

class NoOrphanTest {
    private static final long MINUTE = 60_000;
    private static final NoOrphan WITHIN_TEN_SECONDS = new NoOrphan(Tale.nanos(10_000), Tale.nanos(1_000));

    private final Tale tale = new Tale();

    @Test
    void a_key_that_stays_locked_after_an_acquire_of_unknown_outcome_is_found() {
        tale.acquire(Kind.UNKNOWN, 0, 5_000).acquire(Kind.FAIL, 15_100, 15_110);

        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence()).contains("nobody could have it"));
    }

    @Test
    void so_is_one_that_stays_locked_after_its_release() {
        tale.acquired("g1", 1, 0, 10, MINUTE)
                .under("g1", Operation.RELEASE, Kind.OK, 20, 30)
                .acquire(Kind.FAIL, 40, 50);

        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS)).hasSize(1);
    }

    @Test
    void so_is_one_that_is_locked_after_its_time() {
        tale.acquired("g1", 1, 0, 10, 1_000).acquire(Kind.FAIL, 3_100, 3_110);

        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS)).hasSize(1);
    }

    @Test
    void the_holder_may_be_one_that_has_not_released_or_did_not_live_to_tell() {
        tale.acquired("g1", 1, 0, 10, MINUTE).acquire(Kind.FAIL, 20_000, 20_010);
        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS)).isEmpty();

        Tale killed = new Tale().acquire(Kind.OK, 0, Tale.NEVER).acquire(Kind.FAIL, 20_000, 20_010);
        assertThat(killed.checkedBy(WITHIN_TEN_SECONDS)).isEmpty();
    }

    @Test
    void or_one_whose_release_is_under_way_or_failed() {
        tale.acquired("g1", 1, 0, 10, MINUTE)
                .under("g1", Operation.RELEASE, Kind.OK, 20, 100)
                .acquire(Kind.FAIL, 90, 110);
        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS)).isEmpty();

        Tale failed = new Tale()
                .acquired("g1", 1, 0, 10, MINUTE)
                .under("g1", Operation.RELEASE, Kind.UNKNOWN, 20, 100)
                .acquire(Kind.FAIL, 20_000, 20_010);
        assertThat(failed.checkedBy(WITHIN_TEN_SECONDS)).isEmpty();
    }

    @Test
    void time_within_a_fault_does_not_count() {
        tale.acquire(Kind.UNKNOWN, 0, 5_000).fault(4_000, 8_000).acquire(Kind.FAIL, 18_900, 18_910);
        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS)).isEmpty();

        assertThat(tale.acquire(Kind.FAIL, 19_100, 19_110).checkedBy(WITHIN_TEN_SECONDS))
                .hasSize(1);
    }

    @Test
    void time_within_two_faults_at_once_is_left_out_once() {
        tale.acquire(Kind.UNKNOWN, 0, 5_000).fault(4_000, 8_000).fault(8_500, 9_000);
        assertThat(tale.acquire(Kind.FAIL, 19_900, 19_910).checkedBy(WITHIN_TEN_SECONDS))
                .isEmpty();

        assertThat(tale.acquire(Kind.FAIL, 20_100, 20_110).checkedBy(WITHIN_TEN_SECONDS))
                .hasSize(1);
    }

    @Test
    void what_a_process_asked_for_that_was_killed_ends_with_its_ttl() {
        tale.acquire(Kind.OK, 0, Tale.NEVER).on("other").acquire(Kind.FAIL, 12_000, 12_010);
        assertThat(tale.checkedBy(WITHIN_TEN_SECONDS)).isEmpty();

        assertThat(tale.acquire(Kind.FAIL, 14_000, 14_010).checkedBy(WITHIN_TEN_SECONDS))
                .hasSize(1);
    }

    @Test
    void a_guarded_transaction_keeps_the_lock_until_it_ends() {
        tale.acquired("g1", 1, 0, 10, 200)
                .commit(Kind.OK, 1, 5_900, 6_000, "a")
                .under("g1", Operation.RELEASE, Kind.FAIL, 6_010, 6_020);
        assertThat(tale.acquire(Kind.FAIL, 3_000, 5_950).checkedBy(WITHIN_TEN_SECONDS))
                .isEmpty();

        assertThat(tale.acquire(Kind.FAIL, 6_100, 6_110).checkedBy(WITHIN_TEN_SECONDS))
                .hasSize(1);
    }

    @Test
    void that_of_a_process_that_was_killed_ends_with_its_session() {
        tale.commit(Kind.OK, 1, 0, 5, "a")
                .on("killed")
                .acquired("g2", 2, 10, 20, 200)
                .on("other");
        assertThat(tale.acquire(Kind.FAIL, 9_000, 9_010).checkedBy(WITHIN_TEN_SECONDS))
                .isEmpty();

        assertThat(tale.acquire(Kind.FAIL, 10_100, 10_110).checkedBy(WITHIN_TEN_SECONDS))
                .hasSize(1);
    }
}
