package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.LIMIT;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.item.ItemId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConsumerTroubleTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "SERVICE_UNAVAILABLE",
                "NETWORK_TIMEOUT",
                "RATE_LIMITED",
                "PARTITION_UNAVAILABLE",
                "INTERNAL",
                "AUTH_FAILED",
                "ABORTED"
            })
    void a_completion_is_repeated_while_the_store_is_in_trouble(QueueErrorCode code) {
        queue.onFirst(2, COMPLETE, call -> call.fail(code));
        try (CapturedLog log = new CapturedLog()) {
            List<ItemId> ids = queue.put(1);
            fixture.start(OPTIONS);
            fixture.awaitCompleted(ids);
            assertThat(millisBetween(0, 1)).isGreaterThanOrEqualTo(100);
            assertThat(millisBetween(1, 2)).isGreaterThanOrEqualTo(200);
            assertThat(log.lines("event=consumer_trouble queue=" + queue.name() + " partition=0 doing=complete code="
                            + code))
                    .hasSize(1);
            assertThat(log.lines("event=lease_lost", queue.tag())).isEmpty();
        }
    }

    private long millisBetween(int one, int other) {
        List<FakeCall> calls = queue.calls(COMPLETE);
        return Duration.ofNanos(calls.get(other).nanos - calls.get(one).nanos).toMillis();
    }

    @Test
    void what_finishes_while_the_store_is_in_trouble_travels_with_what_waits() {
        queue.onFirst(2, COMPLETE, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        List<ItemId> ids = queue.put(10);
        fixture.startGated(OPTIONS);
        fixture.gate.release(1);
        fixture.call(COMPLETE, 0);
        fixture.openGate();
        fixture.awaitCompleted(ids);
        assertThat(queue.calls(COMPLETE).get(2).ids).isEqualTo(ids);
    }

    @Test
    void an_item_that_is_gone_after_an_unknown_outcome_was_completed() {
        queue.onFirst(1, COMPLETE, FakeCall::carryOutInSilence);
        try (CapturedLog log = new CapturedLog()) {
            queue.put(1);
            Consumer consumer = fixture.start(OPTIONS);
            fixture.call(COMPLETE, 1);
            consumer.close();
            assertThat(queue.calls(COMPLETE)).hasSize(2);
            assertThat(queue.items.completed()).hasSize(1);
            assertThat(log.lines("event=lease_lost", queue.tag())).isEmpty();
            assertThat(log.lines("event=consumer_gave_up", queue.tag())).isEmpty();
        }
    }

    @Test
    void a_call_that_can_never_succeed_is_not_repeated() {
        List<ItemId> ids = queue.put(2);
        queue.onFirst(1, COMPLETE, call -> call.fail(QueueErrorCode.INVALID_ARGUMENT));
        try (CapturedLog log = new CapturedLog()) {
            fixture.start(OPTIONS.batchSize(1));
            fixture.awaitCompleted(ids.subList(1, 2));
            assertThat(log.lines("event=lease_lost", queue.tag()).get(0)).contains("code=INVALID_ARGUMENT");
            assertThat(queue.items.completed()).doesNotContain(ids.get(0));
        }
    }

    @Test
    void what_a_queue_that_is_shutting_down_does_not_complete_is_said() throws InterruptedException {
        queue.on(COMPLETE, call -> call.fail(QueueErrorCode.SHUTTING_DOWN));
        try (CapturedLog log = new CapturedLog()) {
            queue.put(1);
            Consumer consumer = fixture.start(OPTIONS);
            assertThat(consumer.awaitClosed(LIMIT)).isTrue();
            assertThat(log.lines("event=items_unsettled queue=" + queue.name() + " items=1 code=SHUTTING_DOWN"))
                    .hasSize(1);
        }
    }
}
