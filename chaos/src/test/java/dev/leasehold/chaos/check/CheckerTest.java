package dev.leasehold.chaos.check;

import static dev.leasehold.chaos.check.Tale.QUEUE;
import static dev.leasehold.chaos.check.Tale.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckerTest {
    @Test
    void an_empty_history_is_good() {
        assertThat(Checker.check(new History(List.of()))).isEmpty();
    }

    @Test
    void all_invariants_are_asked() {
        Tale tale = new Tale()
                .acquired("a", 2, 0, 10, 1000)
                .acquired("b", 1, 20, 30, 1000)
                .commit(Kind.OK, 1, 40, 50, "w")
                .leftOfKey(60, 70)
                .produced(0, 1, "lost")
                .produced(0, 1, "one")
                .produced(2, 3, "two")
                .leased(10, 11, 1000, item("two", "2", 1))
                .leased(20, 21, 1000, item("one", "1", 1), item("nobody's", "9", 1))
                .leased(30, 31, 1000, item("one", "1", 1))
                .settle(Operation.COMPLETE, Kind.OK, 40, 41, item("one", "1", 1))
                .settle(Operation.COMPLETE, Kind.OK, 50, 51, item("one", "1", 1))
                .left(QUEUE, 60, 70, item("two", "2", 1), item("two", "3", 1))
                .admin(Operation.CREATE_QUEUE, Kind.OK, "q-gone", "", 0, 1)
                .listed(60, 70, item("q", "q-dead", 0));

        assertThat(Checker.check(tale.history()))
                .extracting(Violation::invariant)
                .contains(
                        "OneHolder",
                        "FencesGrow",
                        "NoStaleCommit",
                        "NoCommitLost",
                        "NothingLost",
                        "NothingFromNowhere",
                        "CompletedOnce",
                        "LeasedToOne",
                        "SettledUnderLease",
                        "PartitionOrder",
                        "AttemptsExact",
                        "DeadLettersOnce",
                        "DeadQueueStays",
                        "QueuesAsTold");
    }

    @Test
    void the_time_of_service_is_asked_only_of_who_asks() {
        History history = new Tale()
                .acquired("a", 1, 0, 10, 5000)
                .acquired("b", 2, 20, 400, 5000)
                .under("a", Operation.RELEASE, Kind.OK, 50, 60)
                .history();

        assertThat(Checker.check(history)).isEmpty();
        assertThat(Checker.ofSafety()
                        .servingWithin(Duration.ofMillis(100), Duration.ofSeconds(1))
                        .violations(history))
                .extracting(Violation::invariant)
                .containsExactly("ServedInTime");
    }

    @Test
    void a_long_history_is_checked_in_good_time() {
        Tale tale = new Tale();
        for (int i = 0; i < 20_000; i++) {
            String payload = "p" + i;
            tale.produced(10L * i, 10L * i + 1, payload);
            tale.leased(10L * i + 2, 10L * i + 3, 1000, item(payload, "id" + i, 1));
            tale.settle(Operation.COMPLETE, Kind.OK, 10L * i + 4, 10L * i + 5, item(payload, "id" + i, 1));
            tale.acquired("g" + i, i, 10L * i, 10L * i + 1, 5);
        }
        History history = tale.history();
        long began = System.nanoTime();

        assertThat(Checker.check(history)).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(TestWaits.LIMIT.multipliedBy(2));
    }
}
