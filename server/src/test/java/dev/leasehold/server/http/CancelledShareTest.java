package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestWaits;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes of a transfer that is cancelled are in memory until its event loop gets to it, so they stay charged until then. */
@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class CancelledShareTest {
    @Test
    void the_room_of_a_cancelled_transfer_is_free_when_its_owner_has_let_go() {
        BodyBudget budget = new BodyBudget(100);
        AtomicInteger cancelled = new AtomicInteger();
        BodyBudget.Share old = transfer(budget, cancelled, 60);
        BodyBudget.Share next = transfer(budget, cancelled, 40);
        BodyBudget.Share newcomer = budget.open(() -> {});
        TestWaits.await().until(() -> {
            assertThat(newcomer.add(50)).isFalse();
            return cancelled.get() > 0;
        });

        assertThat(budget.used()).isEqualTo(100);
        old.close();
        assertThat(newcomer.add(50)).isTrue();
        next.close();
        newcomer.close();
        assertThat(budget.used()).isZero();
    }

    @Test
    void no_more_transfers_are_cancelled_than_are_needed() {
        BodyBudget budget = new BodyBudget(100);
        AtomicInteger cancelled = new AtomicInteger();
        BodyBudget.Share first = transfer(budget, cancelled, 60);
        BodyBudget.Share second = transfer(budget, cancelled, 40);
        BodyBudget.Share newcomer = budget.open(() -> {});
        TestWaits.await().until(() -> {
            assertThat(newcomer.add(50)).isFalse();
            return cancelled.get() > 0;
        });
        // the next search is some moments later, and must find that enough is on its way out
        long end = System.nanoTime() + 3 * BodyBudget.PAUSE_NANOS;
        TestWaits.await().until(() -> !newcomer.add(50) && System.nanoTime() > end);
        assertThat(cancelled).hasValue(1);
        first.close();
        second.close();
    }

    private static BodyBudget.Share transfer(BodyBudget budget, AtomicInteger cancelled, int bytes) {
        BodyBudget.Share share = budget.open(cancelled::incrementAndGet);
        assertThat(share.add(bytes)).isTrue();
        share.beginTransfer();
        return share;
    }
}
