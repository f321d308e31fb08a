package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsumerRetryTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void fail(LeasedItem item) throws IOException {
        fixture.note(item);
        throw new IOException("the mill is broken");
    }

    @ParameterizedTest
    @CsvSource({"1,PT1S", "2,PT2S", "3,PT4S", "9,PT4M16S", "10,PT5M", "65536,PT5M"})
    void an_item_whose_handler_failed_is_retried_after_a_backoff(int attempts, Duration backoff) {
        ItemId id = queue.put(7, attempts, 1).get(0);
        fixture.start(OPTIONS, this::fail);
        FakeCall call = fixture.call(RETRY, 0);
        assertThat(call.partition).isEqualTo(7);
        assertThat(call.retries).containsExactly(RetryItem.at(id, When.after(backoff)));
        assertThat(queue.calls(COMPLETE)).isEmpty();
    }

    @Test
    void no_backoff_means_now() {
        ItemId id = queue.put(0, 5, 1).get(0);
        fixture.start(OPTIONS.retry(RetryRules.exponential(Duration.ZERO, Duration.ofMinutes(1))), this::fail);
        assertThat(fixture.call(RETRY, 0).retries).containsExactly(RetryItem.now(id));
    }

    @Test
    void a_backoff_may_be_as_long_as_can_be_said() {
        Duration eternity = Duration.ofSeconds(Long.MAX_VALUE);
        RetryRules rules = RetryRules.exponential(Duration.ofDays(1), eternity);
        Exception failure = new IOException("the mill is broken");
        assertThat(rules.withoutJitter().delay(65_536, failure)).contains(eternity);
        assertThat(rules.withoutJitter().delay(2, failure)).contains(Duration.ofDays(2));
        assertThat(rules.delay(65_536, failure).orElseThrow())
                .isBetween(eternity.dividedBy(4).multipliedBy(3), eternity);
    }

    @Test
    void an_error_is_a_failure_too_and_the_consumer_goes_on() {
        List<ItemId> ids = queue.put(3);
        fixture.start(OPTIONS, item -> {
            if (item.id().equals(ids.get(0))) {
                throw new StackOverflowError("deep");
            }
        });
        assertThat(fixture.call(RETRY, 0).ids).containsExactly(ids.get(0));
        fixture.awaitCompleted(ids.subList(1, 3));
    }

    @Test
    void an_interrupt_of_the_handlers_own_making_is_a_failure() {
        ItemId id = queue.put(1).get(0);
        fixture.start(OPTIONS, item -> {
            throw new InterruptedException("its own");
        });
        assertThat(fixture.call(RETRY, 0).retries).containsExactly(RetryItem.at(id, When.after(Duration.ofSeconds(1))));
    }

    @Test
    void what_fails_while_a_retry_is_under_way_travels_together_in_the_next() {
        queue.onFirst(1, RETRY, call -> {});
        List<ItemId> ids = queue.put(10);
        fixture.start(OPTIONS, this::fail);
        fixture.awaitBegun(10);
        fixture.call(RETRY, 0).carryOut();
        fixture.call(RETRY, 1);
        await().until(() -> queue.items.leasedCount() == 0);
        assertThat(queue.calls(RETRY).get(0).ids).isEqualTo(ids.subList(0, 1));
        assertThat(queue.calls(RETRY)).hasSizeLessThan(5);
    }

    @Test
    void a_lost_lease_does_not_keep_its_neighbours_from_being_retried() {
        queue.onFirst(1, RETRY, call -> {});
        List<ItemId> ids = queue.put(10);
        fixture.start(OPTIONS, this::fail);
        fixture.awaitBegun(10);
        queue.items.end(ids.subList(5, 6));
        fixture.call(RETRY, 0).carryOut();
        await().until(() -> queue.items.leasedCount() == 0);
    }

    @Test
    void a_retry_is_repeated_while_the_store_is_in_trouble() {
        queue.onFirst(2, RETRY, call -> call.fail(QueueErrorCode.PARTITION_UNAVAILABLE));
        queue.put(1);
        fixture.start(OPTIONS, this::fail);
        await().until(() -> queue.items.leasedCount() == 0 && queue.calls(RETRY).size() == 3);
        assertThat(queue.calls(RETRY).get(2).retries)
                .isEqualTo(queue.calls(RETRY).get(0).retries);
    }

    @Test
    void a_failure_is_logged_once_with_the_exception_and_without_the_payload() {
        try (CapturedLog log = new CapturedLog()) {
            queue.put(0, 4, 1);
            fixture.start(OPTIONS, this::fail);
            fixture.call(RETRY, 0);
            await().until(() -> !log.lines("the mill is broken").isEmpty());
            assertThat(log.lines("event=handler_failed queue=" + queue.name() + " attempts=4"))
                    .hasSize(1);
            assertThat(log.lines("java.io.IOException: the mill is broken")).hasSize(1);
            assertThat(log.lines("payload")).isEmpty();
        }
    }
}
