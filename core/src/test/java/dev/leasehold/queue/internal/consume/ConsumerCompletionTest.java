package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.item.ItemId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerCompletionTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    /** One completion is under way, and nine more items have been handled meanwhile. */
    private List<ItemId> tenOfWhichOneIsUnderWay() {
        queue.onFirst(1, COMPLETE, call -> {});
        List<ItemId> ids = queue.put(10);
        fixture.startGated(OPTIONS);
        fixture.gate.release(1);
        fixture.call(COMPLETE, 0);
        fixture.openGate();
        fixture.awaitBegun(10);
        return ids;
    }

    /** The next lease can only be asked for when the loop knows of all that finished before. */
    private void awaitThatTheLoopKnows() {
        List<ItemId> more = queue.put(1, 1, 1);
        fixture.awaitCompleted(more);
    }

    @Test
    void a_lonely_completion_is_sent_at_once() {
        List<ItemId> ids = queue.put(1);
        fixture.start(OPTIONS);
        assertThat(fixture.call(COMPLETE, 0).ids).isEqualTo(ids);
    }

    @Test
    void what_finishes_while_a_completion_is_under_way_travels_together_in_the_next() {
        List<ItemId> ids = tenOfWhichOneIsUnderWay();
        awaitThatTheLoopKnows();
        assertThat(callsOfPartition(0)).hasSize(1);
        queue.calls(COMPLETE).get(0).carryOut();
        fixture.awaitCompleted(ids);
        assertThat(callsOfPartition(0))
                .extracting(call -> call.ids)
                .containsExactly(ids.subList(0, 1), ids.subList(1, 10));
    }

    private List<FakeCall> callsOfPartition(int partition) {
        return queue.calls(COMPLETE).stream()
                .filter(call -> call.partition == partition)
                .toList();
    }

    @Test
    void each_partition_is_completed_by_calls_of_its_own() {
        List<ItemId> one = queue.put(1, 1, 20);
        List<ItemId> other = queue.put(2, 1, 20);
        fixture.start(OPTIONS.concurrency(4));
        fixture.awaitCompleted(one);
        fixture.awaitCompleted(other);
        assertThat(ids(callsOfPartition(1))).containsExactlyInAnyOrderElementsOf(one);
        assertThat(ids(callsOfPartition(2))).containsExactlyInAnyOrderElementsOf(other);
    }

    private static List<ItemId> ids(List<FakeCall> calls) {
        List<ItemId> ids = new ArrayList<>();
        calls.forEach(call -> ids.addAll(call.ids));
        return ids;
    }

    @Test
    void a_call_names_a_thousand_items_at_most() {
        queue.onFirst(1, COMPLETE, call -> {});
        List<ItemId> ids = queue.put(1_400);
        fixture.start(OPTIONS.batchSize(1_000));
        fixture.awaitBegun(1_400);
        fixture.call(COMPLETE, 0).carryOut();
        fixture.awaitCompleted(ids);
        assertThat(queue.calls(COMPLETE).get(1).ids).hasSize(1_000);
        assertThat(queue.calls(COMPLETE)).allMatch(call -> call.ids.size() <= 1_000);
    }

    @Test
    void a_lost_lease_does_not_keep_its_neighbours_from_being_completed() {
        try (CapturedLog log = new CapturedLog()) {
            List<ItemId> ids = tenOfWhichOneIsUnderWay();
            ItemId lost = ids.get(4);
            queue.items.end(List.of(lost));
            queue.calls(COMPLETE).get(0).carryOut();
            List<ItemId> others = ids.stream().filter(id -> !id.equals(lost)).toList();
            fixture.awaitCompleted(others);
            assertThat(queue.items.completed()).containsExactlyInAnyOrderElementsOf(others);
            await().until(() -> !log.lines("event=lease_lost", queue.tag()).isEmpty());
            assertThat(log.lines(
                            "event=lease_lost queue=" + queue.name() + " partition=0 attempts=1 code=NO_SUCH_ITEM"))
                    .hasSize(1);
            assertThat(log.lines("event=lease_lost", queue.tag())).hasSize(1);
        }
    }

    @Test
    void a_lost_lease_among_many_is_found_by_halves() {
        List<ItemId> ids = tenOfWhichOneIsUnderWay();
        awaitThatTheLoopKnows();
        queue.items.end(List.of(ids.get(4)));
        queue.calls(COMPLETE).get(0).carryOut();
        fixture.awaitCompleted(ids.subList(5, 10));
        fixture.awaitCompleted(ids.subList(0, 4));
        assertThat(callsOfPartition(0)).hasSizeLessThanOrEqualTo(9);
    }

    @Test
    void an_item_that_nobody_leases_is_lost_too() {
        ItemId lost = queue.put(1).get(0);
        queue.onFirst(1, COMPLETE, call -> call.fail(QueueErrorCode.NOT_LEASED));
        try (CapturedLog log = new CapturedLog()) {
            Consumer consumer = fixture.start(OPTIONS);
            await().until(() -> !log.lines("event=lease_lost", queue.tag()).isEmpty());
            consumer.close();
            assertThat(queue.calls(COMPLETE)).hasSize(1);
            assertThat(queue.calls(COMPLETE).get(0).ids).containsExactly(lost);
        }
    }
}
