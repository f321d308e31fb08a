package dev.leasehold.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.DiscardReason;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.QueueEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is discarded is counted, told and logged. */
class DiscardsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void every_loss_is_counted_and_told_by_queue_and_reason() {
        List<DiscardedItems> heard = new ArrayList<>();
        Discards discards = new Discards(new QueueEvents(heard::add));
        discards.add("a", new Discarded(1, 0, 2));
        discards.add("b", Discarded.NOTHING);
        discards.add("a", new Discarded(3, 0, 0));
        assertThat(heard)
                .containsExactly(
                        new DiscardedItems("a", DiscardReason.EXPIRED, 1),
                        new DiscardedItems("a", DiscardReason.REJECTED, 2),
                        new DiscardedItems("a", DiscardReason.EXPIRED, 3));
        assertThat(discards.totals())
                .containsExactlyInAnyOrder(
                        new DiscardedItems("a", DiscardReason.EXPIRED, 4),
                        new DiscardedItems("a", DiscardReason.REJECTED, 2));
    }

    @Test
    void what_a_listener_throws_is_swallowed() {
        Discards discards = new Discards(new QueueEvents(items -> {
            throw new IllegalStateException("a bad listener");
        }));
        discards.add("a", new Discarded(0, 1, 0));
        assertThat(discards.totals()).containsExactly(new DiscardedItems("a", DiscardReason.ATTEMPTS, 1));
    }

    @Test
    void the_first_loss_is_logged_at_once_and_the_others_together_after_a_while() {
        Discards.Tally tally = new Discards.Tally();
        long now = System.nanoTime();
        tally.add(2);
        assertThat(tally.takeDue(now, false)).isEqualTo(2);
        tally.add(3);
        tally.add(4);
        assertThat(tally.takeDue(now + 9 * SECOND, false)).isZero();
        assertThat(tally.takeDue(now + 11 * SECOND, false)).isEqualTo(7);
        assertThat(tally.takeDue(now + 22 * SECOND, false)).as("nothing new").isZero();
        tally.add(1);
        assertThat(tally.takeDue(now, true))
                .as("the last before the node closes")
                .isEqualTo(1);
        assertThat(tally.total()).isEqualTo(10);
    }
}
