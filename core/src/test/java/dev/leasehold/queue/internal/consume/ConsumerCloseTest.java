package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.LIMIT;
import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.GIVE_BACK;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Background;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.item.ItemId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerCloseTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void the_lease_that_waits_is_withdrawn() throws InterruptedException {
        Consumer consumer = fixture.start(OPTIONS);
        FakeCall lease = fixture.call(LEASE, 0);
        assertThat(consumer.isClosed()).isFalse();
        assertThat(consumer.awaitClosed(Duration.ofMillis(1))).isFalse();
        consumer.close();
        assertThat(lease.isCancelled()).isTrue();
        assertThat(consumer.isClosed()).isTrue();
        assertThat(consumer.awaitClosed(Duration.ZERO)).isTrue();
        assertThat(queue.calls(LEASE)).hasSize(1);
    }

    @Test
    void what_was_not_begun_is_given_back_in_its_order_and_what_runs_may_finish() {
        List<ItemId> ids = queue.put(10);
        Consumer consumer = fixture.startGated(OPTIONS.concurrency(2));
        fixture.awaitBegun(2);
        Background<Boolean> closing = Background.run(consumer::close);
        await().until(() -> queue.items.ready().size() == 8);
        assertThat(queue.items.ready()).isEqualTo(ids.subList(2, 10));
        assertThat(closing.isDone()).isFalse();
        fixture.openGate();
        closing.result();
        assertThat(queue.items.completed()).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
        assertThat(queue.items.leasedCount()).isZero();
        assertThat(fixture.begun).hasSize(2);
    }

    @Test
    void a_batch_that_arrives_while_it_closes_is_given_back() {
        queue.on(LEASE, call -> call.beforeCancel = call::carryOut);
        Consumer consumer = fixture.start(OPTIONS);
        await().until(() -> !queue.calls(LEASE).isEmpty());
        FakeCall lease = fixture.call(LEASE, 0);
        await().until(() -> lease.beforeCancel != FakeCall.NOTHING);
        List<ItemId> ids = queue.put(5);
        consumer.close();
        assertThat(lease.isCancelled()).isFalse();
        assertThat(fixture.call(GIVE_BACK, 0).ids).isEqualTo(ids);
        assertThat(queue.items.ready()).isEqualTo(ids);
        assertThat(fixture.begun).isEmpty();
    }

    @Test
    void a_handler_may_close_its_consumer() throws InterruptedException {
        List<ItemId> ids = queue.put(3);
        CompletableFuture<Consumer> self = new CompletableFuture<>();
        Consumer consumer = fixture.start(OPTIONS, item -> {
            self.join().close();
            fixture.note(item);
        });
        self.complete(consumer);
        assertThat(consumer.awaitClosed(LIMIT)).isTrue();
        assertThat(queue.items.completed()).isEqualTo(ids.subList(0, 1));
        assertThat(queue.items.ready()).containsExactlyInAnyOrderElementsOf(ids.subList(1, 3));
    }

    @Test
    void a_thread_that_the_store_borrowed_from_it_may_close_it() throws InterruptedException {
        Consumer consumer = fixture.start(OPTIONS);
        fixture.call(LEASE, 0);
        queue.inCallersThread = consumer::close;
        queue.put(1);
        assertThat(consumer.awaitClosed(LIMIT)).isTrue();
    }

    @Test
    void many_may_close_it_and_all_of_them_wait_for_its_end() {
        queue.put(1);
        Consumer consumer = fixture.startGated(OPTIONS);
        fixture.awaitBegun(1);
        Background<Boolean> one = Background.run(consumer::close).awaitParked();
        Background<Boolean> other = Background.run(consumer::close).awaitParked();
        assertThat(consumer.isClosed()).isFalse();
        fixture.openGate();
        one.result();
        other.result();
        consumer.close();
        assertThat(queue.items.completed()).hasSize(1);
    }

    @Test
    void what_the_store_does_not_take_at_once_is_settled_before_it_returns() {
        queue.onFirst(2, COMPLETE, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        queue.onFirst(2, GIVE_BACK, call -> call.fail(QueueErrorCode.SERVICE_UNAVAILABLE));
        List<ItemId> ids = queue.put(3);
        Consumer consumer = fixture.startGated(OPTIONS);
        fixture.awaitBegun(1);
        Background<Boolean> closing = Background.run(consumer::close);
        fixture.call(GIVE_BACK, 0);
        fixture.openGate();
        closing.result();
        assertThat(queue.items.completed()).isEqualTo(ids.subList(0, 1));
        assertThat(queue.items.ready()).isEqualTo(ids.subList(1, 3));
    }

    @Test
    void whenever_it_is_closed_every_item_is_either_done_or_back() {
        for (int i = 0; i < 300; i++) {
            FakeQueue busy = new FakeQueue();
            Consumer consumer = ConsumerRuntime.start(
                    busy, () -> Duration.ofMinutes(1), OPTIONS.concurrency(2).batchSize(3), 1, works -> {});
            Background<Boolean> producer = Background.run(() -> {
                for (int n = 0; n < 20; n++) {
                    busy.put(n % 2, 1, 1);
                }
            });
            consumer.close();
            producer.result();
            await().until(() -> busy.items.leasedCount() == 0);
            assertThat(busy.items.completed()).doesNotHaveDuplicates();
            assertThat(busy.items.completed().size() + busy.items.ready().size())
                    .isEqualTo(20);
            busy.close();
        }
    }

    @Test
    void no_thread_stays_behind() {
        List<ItemId> ids = queue.put(100);
        Consumer consumer = fixture.start(OPTIONS.concurrency(4));
        fixture.awaitCompleted(ids);
        assertThat(threads()).isNotEmpty();
        consumer.close();
        await().until(() -> threads().isEmpty());
    }

    private List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("leasehold-consumer-" + queue.name() + "-"))
                .toList();
    }
}
