package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.EXTEND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.item.ItemId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerLostLeaseTest {
    private static final Duration SHORT = Duration.ofMillis(150);

    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void when_a_lease_is_lost_the_others_are_extended_and_its_result_is_thrown_away() {
        fixture.leaseTimeout = SHORT;
        List<ItemId> ids = queue.put(8);
        try (CapturedLog log = new CapturedLog()) {
            fixture.startGated(OPTIONS.concurrency(8));
            fixture.awaitBegun(8);
            queue.items.end(ids.subList(3, 4));
            await().until(() -> !log.lines("event=lease_lost", queue.tag()).isEmpty());
            List<ItemId> others =
                    ids.stream().filter(id -> !id.equals(ids.get(3))).toList();
            await().until(() -> lastExtension().equals(others));
            fixture.openGate();
            fixture.awaitCompleted(others);
            fixture.close();
            assertThat(log.lines("event=consumer_gave_up", queue.tag())).isEmpty();
            assertThat(queue.calls(COMPLETE)).noneMatch(call -> call.ids.contains(ids.get(3)));
            assertThat(log.lines(
                            "event=lease_lost queue=" + queue.name() + " partition=0 attempts=1 code=NO_SUCH_ITEM"))
                    .hasSize(1);
        }
    }

    private List<ItemId> lastExtension() {
        List<FakeCall> calls = queue.calls(EXTEND);
        return calls.isEmpty() ? List.of() : calls.get(calls.size() - 1).ids;
    }

    @Test
    void a_handler_whose_lease_is_lost_is_left_alone() {
        fixture.leaseTimeout = SHORT;
        List<ItemId> ids = queue.put(1);
        AtomicInteger ended = new AtomicInteger();
        try (CapturedLog log = new CapturedLog()) {
            fixture.start(OPTIONS, item -> {
                fixture.waitAtTheGate(item);
                ended.incrementAndGet();
            });
            fixture.awaitBegun(1);
            queue.items.end(ids);
            await().until(() -> !log.lines("event=lease_lost", queue.tag()).isEmpty());
            fixture.openGate();
            await().until(() -> ended.get() == 1);
            assertThat(log.lines("event=handler_failed", queue.tag())).isEmpty();
        }
    }

    @Test
    void an_item_that_was_lost_before_its_turn_is_never_begun() {
        fixture.leaseTimeout = SHORT;
        List<ItemId> ids = queue.put(3);
        try (CapturedLog log = new CapturedLog()) {
            fixture.startGated(OPTIONS);
            fixture.awaitBegun(1);
            queue.items.end(ids.subList(1, 2));
            await().until(() -> !log.lines("event=lease_lost", queue.tag()).isEmpty());
            fixture.openGate();
            fixture.awaitCompleted(List.of(ids.get(0), ids.get(2)));
            assertThat(fixture.begun).containsExactly(ids.get(0), ids.get(2));
        }
    }

    @Test
    void an_item_that_is_lost_while_the_store_takes_no_completions_is_not_completed_any_more() {
        fixture.leaseTimeout = SHORT;
        queue.on(COMPLETE, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        List<ItemId> ids = queue.put(1);
        try (CapturedLog log = new CapturedLog()) {
            fixture.start(OPTIONS);
            fixture.call(COMPLETE, 0);
            queue.items.end(ids);
            await().until(() -> !log.lines("event=lease_lost", queue.tag()).isEmpty());
            int calls = queue.calls(COMPLETE).size();
            fixture.close();
            assertThat(queue.calls(COMPLETE)).hasSize(calls);
            assertThat(log.lines("event=lease_lost", queue.tag())).hasSize(1);
            assertThat(log.lines("event=consumer_gave_up", queue.tag())).isEmpty();
        }
    }

    @Test
    void an_extension_that_crosses_a_completion_does_not_mean_that_the_lease_was_lost() {
        fixture.leaseTimeout = SHORT;
        queue.onFirst(1, EXTEND, call -> {});
        queue.onFirst(1, COMPLETE, call -> {});
        List<ItemId> ids = queue.put(1);
        try (CapturedLog log = new CapturedLog()) {
            fixture.startGated(OPTIONS);
            FakeCall extension = fixture.call(EXTEND, 0);
            fixture.openGate();
            FakeCall completion = fixture.call(COMPLETE, 0);
            queue.items.complete(ids);
            extension.carryOut();
            List<ItemId> next = queue.put(1, 1, 1);
            fixture.awaitCompleted(next);
            completion.answer(null);
            fixture.close();
            assertThat(log.lines("event=lease_lost", queue.tag())).isEmpty();
            assertThat(queue.calls(COMPLETE)).hasSize(2);
        }
    }

    @Test
    void an_item_that_an_extension_finds_gone_after_an_unknown_outcome_was_completed() {
        fixture.leaseTimeout = SHORT;
        queue.on(COMPLETE, call -> {
            if (call.ids.equals(queue.calls(COMPLETE).get(0).ids) && queue.items.leasedCount() > 0) {
                call.carryOutInSilence();
            } else {
                call.fail(QueueErrorCode.SERVICE_UNAVAILABLE);
            }
        });
        queue.put(1);
        try (CapturedLog log = new CapturedLog()) {
            fixture.start(OPTIONS);
            fixture.call(EXTEND, 0);
            fixture.close();
            assertThat(queue.items.completed()).hasSize(1);
            assertThat(log.lines("event=lease_lost", queue.tag())).isEmpty();
            assertThat(log.lines("event=consumer_gave_up", queue.tag())).isEmpty();
        }
    }
}
