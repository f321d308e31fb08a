package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.EXTEND;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.item.ItemId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerManyItemsTest {
    private static final long MILLI = 1_000_000;

    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;
    private final Collection<ItemId> handled = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void each_of_ten_thousand_is_handled_once_and_completed_once_in_fewer_calls() {
        queue.on(COMPLETE, call -> queue.store.after(5 * MILLI, call::carryOut));
        List<ItemId> ids = queue.put(10_000);
        fixture.start(OPTIONS.concurrency(8).batchSize(200), item -> handled.add(item.id()));
        await().until(() -> queue.items.completed().size() >= 10_000);
        assertThat(handled).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(queue.items.completed()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(queue.calls(COMPLETE)).hasSizeLessThan(10_000);
        assertThat(queue.calls(LEASE)).hasSizeLessThan(500);
    }

    @Test
    void none_is_lost_or_done_twice_by_a_store_that_fails_now_and_then() {
        fixture.leaseTimeout = Duration.ofMillis(60);
        queue.on(COMPLETE, new Moody(1));
        queue.on(EXTEND, new Moody(2));
        List<ItemId> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ids.addAll(queue.put(i % 4, 1, 10));
        }
        try (CapturedLog log = new CapturedLog()) {
            fixture.start(OPTIONS.concurrency(8).batchSize(100), item -> handled.add(item.id()));
            await().until(() -> queue.items.completed().size() >= 3_000);
            fixture.close();
            assertThat(handled).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(queue.items.completed()).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(log.lines("event=lease_lost", queue.tag())).isEmpty();
        }
    }

    /** A store that refuses one call in eight, and does not answer another of them although it carries it out. */
    private static final class Moody implements FakeQueue.Reaction {
        private final Random random;

        Moody(long seed) {
            random = new Random(seed);
        }

        @Override
        public void to(FakeCall call) {
            switch (random.nextInt(8)) {
                case 0 -> call.fail(QueueErrorCode.RATE_LIMITED);
                case 1 -> call.carryOutInSilence();
                default -> call.carryOut();
            }
        }
    }
}
