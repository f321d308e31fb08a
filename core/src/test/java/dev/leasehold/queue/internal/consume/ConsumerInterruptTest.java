package dev.leasehold.queue.internal.consume;

import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Background;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerInterruptTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_handler_that_takes_too_long_is_interrupted_and_its_item_retried_now() {
        ItemId id = queue.put(0, 3, 1).get(0);
        Consumer consumer = fixture.startGated(OPTIONS.stopTimeout(Duration.ofMillis(100)));
        fixture.awaitBegun(1);
        long start = System.nanoTime();
        consumer.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        assertThat(queue.calls(RETRY).get(0).retries).containsExactly(RetryItem.now(id));
        assertThat(queue.items.leasedCount()).isZero();
    }

    @Test
    void an_interrupt_that_comes_wrapped_counts_too() {
        ItemId id = queue.put(1).get(0);
        Consumer consumer = fixture.start(OPTIONS.stopTimeout(Duration.ZERO), this::waitAndWrap);
        fixture.awaitBegun(1);
        consumer.close();
        assertThat(queue.calls(RETRY).get(0).retries).containsExactly(RetryItem.now(id));
    }

    private void waitAndWrap(LeasedItem item) {
        try {
            fixture.waitAtTheGate(item);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Test
    void a_handler_that_was_interrupted_and_yet_returns_has_done_its_item() {
        List<ItemId> ids = queue.put(1);
        Consumer consumer = fixture.start(OPTIONS.stopTimeout(Duration.ZERO), item -> {
            try {
                fixture.waitAtTheGate(item);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        fixture.awaitBegun(1);
        consumer.close();
        assertThat(queue.items.completed()).isEqualTo(ids);
    }

    @Test
    void an_interrupt_of_who_closes_cuts_the_handlers_time_short() {
        ItemId id = queue.put(1).get(0);
        Consumer consumer = fixture.startGated(OPTIONS.stopTimeout(Duration.ofHours(1)));
        fixture.awaitBegun(1);
        Background<Boolean> closing = Background.call(() -> {
            consumer.close();
            return Thread.currentThread().isInterrupted();
        });
        closing.awaitParked().interrupt();
        assertThat(closing.result()).isTrue();
        assertThat(queue.calls(RETRY).get(0).retries).containsExactly(RetryItem.now(id));
    }
}
