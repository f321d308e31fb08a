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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerExtensionTest {
    private static final Duration SHORT = Duration.ofMillis(150);

    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    private long millisBetweenExtensions(int one, int other) {
        List<FakeCall> calls = queue.calls(EXTEND);
        return Duration.ofNanos(calls.get(other).nanos - calls.get(one).nanos).toMillis();
    }

    private void awaitExtensionsAfterNow(int count) {
        int now = queue.calls(EXTEND).size();
        fixture.call(EXTEND, now + count - 1);
    }

    @Test
    void what_runs_and_what_waits_is_extended_together_every_third_of_the_lease() {
        fixture.leaseTimeout = Duration.ofMillis(300);
        List<ItemId> ids = queue.put(8);
        fixture.startGated(OPTIONS.concurrency(2));
        fixture.awaitBegun(2);
        fixture.call(EXTEND, 3);
        assertThat(queue.calls(EXTEND)).allSatisfy(call -> assertThat(call.ids).isEqualTo(ids));
        assertThat(millisBetweenExtensions(0, 3)).isGreaterThanOrEqualTo(295);
    }

    @Test
    void the_first_extension_comes_after_a_third_of_the_lease() {
        fixture.leaseTimeout = Duration.ofMillis(300);
        fixture.startGated(OPTIONS);
        long leased = System.nanoTime();
        queue.put(1);
        long millis = Duration.ofNanos(fixture.call(EXTEND, 0).nanos - leased).toMillis();
        assertThat(millis).isGreaterThanOrEqualTo(95);
    }

    @Test
    void each_partition_is_extended_by_calls_of_its_own() {
        fixture.leaseTimeout = SHORT;
        List<ItemId> one = queue.put(1, 1, 3);
        List<ItemId> other = queue.put(2, 1, 3);
        fixture.startGated(OPTIONS);
        await().until(() -> partitions().size() == 2);
        assertThat(queue.calls(EXTEND))
                .allSatisfy(call -> assertThat(call.ids).isEqualTo(call.partition == 1 ? one : other));
    }

    private Set<Integer> partitions() {
        Set<Integer> partitions = new TreeSet<>();
        queue.calls(EXTEND).forEach(call -> partitions.add(call.partition));
        return partitions;
    }

    @Test
    void what_was_settled_is_not_extended_any_more() {
        fixture.leaseTimeout = SHORT;
        List<ItemId> ids = queue.put(2);
        fixture.startGated(OPTIONS);
        fixture.call(EXTEND, 0);
        fixture.gate.release(1);
        fixture.awaitCompleted(ids.subList(0, 1));
        awaitExtensionsAfterNow(2);
        List<FakeCall> calls = queue.calls(EXTEND);
        assertThat(calls.get(calls.size() - 1).ids).isEqualTo(ids.subList(1, 2));
    }

    @Test
    void a_lease_timeout_that_became_shorter_counts_from_the_next_lease_on() {
        queue.put(1);
        fixture.startGated(OPTIONS);
        fixture.awaitBegun(1);
        fixture.leaseTimeout = SHORT;
        queue.put(1);
        fixture.call(EXTEND, 0);
    }

    @Test
    void after_trouble_it_does_not_wait_for_the_next_third() {
        fixture.firstLeaseTimeouts.add(SHORT);
        fixture.leaseTimeout = Duration.ofHours(1);
        queue.onFirst(2, EXTEND, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        queue.put(1);
        try (CapturedLog log = new CapturedLog()) {
            fixture.startGated(OPTIONS);
            fixture.call(EXTEND, 2);
            assertThat(millisBetweenExtensions(0, 1)).isGreaterThanOrEqualTo(100);
            assertThat(millisBetweenExtensions(1, 2)).isGreaterThanOrEqualTo(200);
            assertThat(log.lines("event=consumer_trouble queue=" + queue.name() + " partition=0 doing=extend"))
                    .hasSize(1);
            assertThat(log.lines("event=lease_lost", queue.tag())).isEmpty();
        }
    }

    @Test
    void an_extension_that_is_under_way_is_not_sent_again() {
        fixture.leaseTimeout = SHORT;
        queue.onFirst(1, EXTEND, call -> {});
        List<ItemId> slow = queue.put(1, 1, 1);
        fixture.startGated(OPTIONS);
        fixture.call(EXTEND, 0);
        List<ItemId> other = queue.put(2, 1, 1);
        fixture.call(EXTEND, 3);
        assertThat(queue.calls(EXTEND).get(0).ids).isEqualTo(slow);
        assertThat(queue.calls(EXTEND).subList(1, 4))
                .allSatisfy(call -> assertThat(call.ids).isEqualTo(other));
    }

    @Test
    void what_cannot_be_completed_yet_is_extended_a_thousand_at_a_time() {
        fixture.leaseTimeout = SHORT;
        queue.on(COMPLETE, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        queue.put(1_400);
        fixture.start(OPTIONS.batchSize(1_000));
        await().until(() -> queue.calls(EXTEND).stream().anyMatch(call -> call.ids.size() == 400));
        assertThat(queue.calls(EXTEND)).anyMatch(call -> call.ids.size() == 1_000);
        assertThat(queue.calls(EXTEND)).allMatch(call -> call.ids.size() <= 1_000);
    }

    @Test
    void when_nothing_is_held_nothing_is_extended() {
        fixture.leaseTimeout = Duration.ofMillis(30);
        List<ItemId> ids = queue.put(5);
        fixture.start(OPTIONS);
        fixture.awaitCompleted(ids);
        int calls = queue.calls(EXTEND).size();
        await().during(Duration.ofMillis(150)).until(() -> queue.calls(EXTEND).size() <= calls + 1);
    }
}
