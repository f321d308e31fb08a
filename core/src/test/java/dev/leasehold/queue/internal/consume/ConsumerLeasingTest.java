package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.LIMIT;
import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.GIVE_BACK;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConsumerLeasingTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void items_are_handled_in_their_order_and_completed() {
        List<ItemId> ids = queue.put(25);
        fixture.start(OPTIONS);
        fixture.awaitCompleted(ids);
        assertThat(fixture.begun).isEqualTo(ids);
    }

    @Test
    void it_leases_as_many_as_have_room_and_no_more() {
        queue.put(100);
        fixture.startGated(OPTIONS.concurrency(6).batchSize(10));
        assertThat(fixture.call(LEASE, 0).limit).isEqualTo(10);
        assertThat(fixture.call(LEASE, 1).limit).isEqualTo(6);
        fixture.awaitBegun(6);
        await().until(() -> queue.items.leasedCount() >= 16);
        assertThat(queue.calls(LEASE)).hasSize(2);
        assertThat(queue.items.leasedCount()).isEqualTo(16);
    }

    @Test
    void it_leases_again_when_half_a_batch_has_room() {
        queue.put(100);
        fixture.startGated(OPTIONS.concurrency(6).batchSize(10));
        fixture.call(LEASE, 1);
        fixture.gate.release(4);
        await().until(() -> queue.items.completed().size() == 4);
        assertThat(queue.calls(LEASE)).hasSize(2);
        fixture.gate.release(1);
        assertThat(fixture.call(LEASE, 2).limit).isEqualTo(5);
    }

    @Test
    void a_batch_of_one_is_leased_one_by_one() {
        List<ItemId> ids = queue.put(20);
        fixture.start(OPTIONS.batchSize(1));
        fixture.awaitCompleted(ids);
        assertThat(queue.calls(LEASE)).allMatch(call -> call.limit == 1);
    }

    @Test
    void it_waits_long_at_an_empty_queue_and_then_asks_again_as_the_same_client() {
        queue.onFirst(1, LEASE, call -> call.answer(new LeasedBatch(queue.name(), 0, List.of())));
        fixture.start(OPTIONS);
        LeaseRequest first = request(fixture.call(LEASE, 0));
        LeaseRequest second = request(fixture.call(LEASE, 1));
        assertThat(first.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void consumers_have_client_ids_of_their_own() {
        fixture.start(OPTIONS);
        String one = request(fixture.call(LEASE, 0)).clientId();
        fixture.start(OPTIONS);
        assertThat(request(fixture.call(LEASE, 1)).clientId()).isNotEqualTo(one);
    }

    private static LeaseRequest request(FakeCall call) {
        return Objects.requireNonNull(call.request);
    }

    @Test
    void while_nothing_can_be_completed_it_does_not_lease_without_end() {
        queue.on(COMPLETE, call -> {});
        List<ItemId> ids = queue.put(3_000);
        fixture.start(OPTIONS.concurrency(4).batchSize(100));
        await().until(() -> fixture.begun.size() > 900);
        await().during(Duration.ofMillis(200)).until(() -> queue.items.leasedCount() <= 1_104);
        queue.behave();
        queue.calls(COMPLETE).forEach(FakeCall::carryOut);
        fixture.awaitCompleted(ids);
    }

    @Test
    void a_lease_that_fails_is_repeated_with_a_growing_backoff() {
        queue.onFirst(3, LEASE, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        List<ItemId> ids = queue.put(1);
        fixture.start(OPTIONS);
        fixture.awaitCompleted(ids);
        assertThat(millisBetweenLeases(0, 1)).isGreaterThanOrEqualTo(100);
        assertThat(millisBetweenLeases(1, 2)).isGreaterThanOrEqualTo(200);
        assertThat(millisBetweenLeases(2, 3)).isGreaterThanOrEqualTo(400);
    }

    private long millisBetweenLeases(int one, int other) {
        long nanos = queue.calls(LEASE).get(other).nanos - queue.calls(LEASE).get(one).nanos;
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Test
    void that_it_cannot_lease_is_logged_once() {
        queue.onFirst(3, LEASE, call -> call.fail(QueueErrorCode.RATE_LIMITED));
        try (CapturedLog log = new CapturedLog()) {
            List<ItemId> ids = queue.put(1);
            fixture.start(OPTIONS);
            fixture.awaitCompleted(ids);
            assertThat(log.lines("event=consumer_trouble queue=" + queue.name() + " doing=lease code=RATE_LIMITED"))
                    .hasSize(1);
        }
    }

    @Test
    void a_queue_that_throws_is_asked_again() {
        queue.inCallersThread = () -> {
            queue.inCallersThread = () -> {};
            throw new AssertionError("broken");
        };
        List<ItemId> ids = queue.put(1);
        fixture.start(OPTIONS);
        fixture.awaitCompleted(ids);
        assertThat(queue.calls(LEASE)).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_SUCH_QUEUE", "SHUTTING_DOWN", "INVALID_ARGUMENT"})
    void it_closes_itself_when_the_queue_is_no_more(QueueErrorCode code) throws InterruptedException {
        queue.on(LEASE, call -> call.fail(code));
        Consumer consumer = fixture.start(OPTIONS);
        assertThat(consumer.awaitClosed(LIMIT)).isTrue();
        assertThat(consumer.isClosed()).isTrue();
        assertThat(queue.calls(LEASE)).hasSize(1);
    }

    @Test
    void when_it_closes_itself_the_handlers_that_run_still_finish() throws InterruptedException {
        queue.put(5);
        Consumer consumer = fixture.startGated(OPTIONS.concurrency(10));
        fixture.awaitBegun(5);
        fixture.call(LEASE, 1).fail(QueueErrorCode.SHUTTING_DOWN);
        fixture.openGate();
        assertThat(consumer.awaitClosed(LIMIT)).isTrue();
        assertThat(queue.items.completed()).hasSize(5);
        assertThat(queue.calls(GIVE_BACK)).isEmpty();
    }
}
