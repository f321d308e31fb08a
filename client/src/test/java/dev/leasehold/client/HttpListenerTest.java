package dev.leasehold.client;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListener;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The listeners of a client report what it did. */
@Timeout(TestWaits.TEST_LIMIT)
class HttpListenerTest implements QueueListener {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final LeaseholdServer server = LeaseholdServer.start(
            ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), MemoryQueues.create());
    private final Leasehold leasehold = HttpLeasehold.builder(HttpLockFixture.address(server))
            .options(options -> options.listener(this::onLock))
            .listener(this)
            .build();

    @AfterEach
    void close() {
        leasehold.close();
        server.close();
    }

    private void onLock(LockEvent event) {
        events.add(event.type().text() + " " + event.result().text());
    }

    @Override
    public void onDiscarded(DiscardedItems discarded) {
        events.add("discarded");
    }

    @Override
    public void onProduced(String queue, int items, Duration elapsed) {
        events.add("produced " + items);
    }

    @Override
    public void onCompleted(String queue, int items, Duration elapsed) {
        events.add("completed " + items);
    }

    @Override
    public void onRetried(String queue, int items, Duration elapsed) {
        events.add("retried " + items);
    }

    @Override
    public void onHandled(String queue, int items, Duration elapsed) {
        events.add("handled " + items);
    }

    @Override
    public void onHandlerFailed(String queue, int items, Throwable failure, Duration elapsed) {
        events.add("failed with " + failure.getMessage());
    }

    @Override
    public void onFailed(String queue, String operation, QueueException failure, Duration elapsed) {
        events.add(operation + " " + failure.code());
    }

    @Test
    void operations_on_locks_are_reported() {
        leasehold.locks().acquire("ledger:7").close();
        await().until(() -> events.equals(List.of("acquire ok", "release ok")));
    }

    @Test
    void items_and_handlers_are_reported() {
        leasehold.queues().create(QueueConfig.named("orders"));
        ItemQueue orders = leasehold.queues().queue("orders");
        orders.produce(NewItem.of("tea"));
        ConsumeOptions options =
                ConsumeOptions.DEFAULT.retry(RetryRules.exponential(Duration.ofMillis(1), Duration.ofMillis(1)));
        try (Consumer consumer = orders.consume(options, work -> {
            if (work.attempts() == 1) {
                throw new IOException("no water");
            }
        })) {
            await().until(() -> events.containsAll(
                    List.of("produced 1", "failed with no water", "retried 1", "completed 1", "handled 1")));
            assertThat(consumer.isClosed()).isFalse();
        }

        assertThat(events).doesNotContain("discarded");
    }

    @Test
    void a_call_that_fails_is_reported() {
        ItemQueue missing = leasehold.queues().queue("missing");
        assertThatThrownBy(() -> missing.produce(NewItem.of("tea"))).isInstanceOf(QueueException.class);

        await().until(() -> events.equals(List.of("produce NO_SUCH_QUEUE")));
    }
}
