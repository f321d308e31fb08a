package dev.leasehold.micrometer;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueListener;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.testkit.TestWaits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(TestWaits.TEST_LIMIT)
class LeaseholdMetricsTest {
    private static final ConsumeOptions OPTIONS = ConsumeOptions.DEFAULT.retry(
            RetryRules.exponential(Duration.ofMillis(1), Duration.ofMillis(1)).withoutJitter());

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LeaseholdMetrics metrics = new LeaseholdMetrics(registry);
    private final Leasehold leasehold = new InMemory(
            MemoryLocks.create(LockOptions.DEFAULT.listener(metrics.lockListener())),
            MemoryQueues.create(QueueOptions.DEFAULT.listener(metrics.queueListener())));

    /** Both engines, with their listeners. */
    private record InMemory(Locks locks, Queues queues) implements Leasehold {
        @Override
        public void migrate() {}

        @Override
        public void close() {
            queues.close();
            locks.close();
        }
    }

    @AfterEach
    void close() {
        leasehold.close();
        metrics.close();
        registry.close();
    }

    /** Listeners are called when a future is done, which may be a moment after its result is there. */
    private void awaitCount(int expected, String name, String... tags) {
        await().until(() -> {
            Counter counter = registry.find(name).tags(tags).counter();
            return counter != null && counter.count() == expected;
        });
    }

    private void awaitTimed(int expected, String name, String... tags) {
        await().until(() -> {
            Timer timer = registry.find(name).tags(tags).timer();
            return timer != null && timer.count() == expected;
        });
    }

    private ItemQueue create(QueueConfig config) {
        leasehold.queues().create(config);
        return leasehold.queues().queue(config.name());
    }

    @Test
    void operations_on_locks_are_timed_by_type_and_result() {
        try (HeldLock lock = leasehold.locks().acquire("ledger:7")) {
            assertThat(leasehold.locks().tryAcquire("ledger:7")).isEmpty();
            lock.checkpoint();
        }

        awaitTimed(1, "leasehold.lock.operation", "type", "acquire", "result", "ok");
        awaitTimed(1, "leasehold.lock.operation", "type", "acquire", "result", "fail", "reason", "locked");
        awaitTimed(1, "leasehold.lock.operation", "type", "release", "result", "ok");
    }

    @Test
    void items_are_counted_from_produce_to_complete() {
        ItemQueue orders = create(QueueConfig.named("orders"));
        orders.produce(NewItem.of("tea"), NewItem.of("milk"));
        orders.complete(orders.lease(LeaseRequest.of("me", 10)));

        awaitCount(2, "leasehold.queue.items.produced", "queue", "orders");
        awaitCount(2, "leasehold.queue.items.leased", "queue", "orders");
        awaitCount(2, "leasehold.queue.items.completed", "queue", "orders");
        awaitTimed(1, "leasehold.queue.operation", "operation", "lease", "outcome", "success");
    }

    @Test
    void a_lease_that_found_nothing_is_empty_and_a_call_that_failed_is_a_failure() {
        ItemQueue orders = create(QueueConfig.named("orders"));
        assertThat(orders.lease(LeaseRequest.of("me", 1).timeout(Duration.ofMillis(20)))
                        .isEmpty())
                .isTrue();
        ItemQueue missing = leasehold.queues().queue("missing");
        assertThatThrownBy(() -> missing.produce(NewItem.of("tea"))).isInstanceOf(QueueException.class);

        awaitTimed(1, "leasehold.queue.operation", "queue", "orders", "operation", "lease", "outcome", "empty");
        awaitTimed(1, "leasehold.queue.operation", "queue", "missing", "operation", "produce", "outcome", "failure");
    }

    @Test
    void a_handler_that_fails_is_counted_and_so_are_retries_and_dead_letters() {
        ItemQueue orders = create(QueueConfig.named("orders").maxAttempts(2));
        orders.produce(NewItem.of("tea"));
        try (Consumer consumer = orders.consume(OPTIONS, work -> {
            throw new IOException("the kettle is empty");
        })) {
            awaitCount(1, "leasehold.queue.items.dead.lettered", "queue", "orders");
            assertThat(consumer.isClosed()).isFalse();
        }

        awaitTimed(2, "leasehold.queue.handler", "queue", "orders", "outcome", "failure");
        awaitCount(1, "leasehold.queue.items.retried", "queue", "orders");
        awaitCount(1, "leasehold.queue.items.dead.lettered", "queue", "orders");
        awaitCount(2, "leasehold.queue.items.leased", "queue", "orders");
    }

    @Test
    void a_handler_that_returns_is_timed() {
        ItemQueue orders = create(QueueConfig.named("orders"));
        orders.produce(NewItem.of("tea"));
        try (Consumer consumer = orders.consume(OPTIONS, work -> {})) {
            awaitCount(1, "leasehold.queue.items.completed", "queue", "orders");
            assertThat(consumer.isClosed()).isFalse();
        }

        awaitTimed(1, "leasehold.queue.handler", "queue", "orders", "outcome", "success");
    }

    @Test
    void gauges_show_held_locks_and_queues() {
        ItemQueue orders = create(QueueConfig.named("orders"));
        orders.produce(NewItem.of("tea"), NewItem.of("milk"));
        metrics.watch(leasehold);
        try (HeldLock lock = leasehold.locks().acquire("ledger:7")) {
            assertThat(registry.get("leasehold.lock.held").gauge().value()).isEqualTo(1);
            lock.checkpoint();
        }
        metrics.refresh();

        assertThat(registry.get("leasehold.lock.held").gauge().value()).isZero();
        assertThat(registry.get("leasehold.lock.waiters").gauge().value()).isZero();
        assertThat(registry.get("leasehold.queue.ready")
                        .tag("queue", "orders")
                        .gauge()
                        .value())
                .isEqualTo(2);
    }

    @Test
    void queues_beyond_the_first_thousand_share_a_name() {
        MeterRegistry simple = new SimpleMeterRegistry();
        QueueMeters meters = new QueueMeters(simple);
        for (int i = 0; i < QueueMeters.MOST_QUEUES + 5; i++) {
            meters.onProduced("queue" + i, 1, Duration.ZERO);
        }

        assertThat(simple.get("leasehold.queue.items.produced").counters()).hasSize(QueueMeters.MOST_QUEUES + 1);
        assertThat(simple.get("leasehold.queue.items.produced")
                        .tag("queue", QueueMeters.OTHERS)
                        .counter()
                        .count())
                .isEqualTo(5);
        assertThatThrownBy(() -> leasehold.queues().create(QueueConfig.named(QueueMeters.OTHERS)))
                .as("no queue has the name of the others")
                .isInstanceOf(QueueException.class);
    }

    @Test
    void a_listener_that_throws_breaks_nothing() {
        try (MemoryQueues queues = MemoryQueues.create(QueueOptions.DEFAULT.listener(new Throwing()))) {
            queues.create(QueueConfig.named("orders"));
            ItemQueue orders = queues.queue("orders");
            orders.produce(NewItem.of("tea"));
            orders.complete(orders.lease(LeaseRequest.of("me", 1)));

            assertThat(orders.admin().stats().partitions()).allMatch(partition -> partition.total() == 0);
        }
    }

    /** A listener with a defect. */
    private static final class Throwing implements QueueListener {
        @Override
        public void onDiscarded(DiscardedItems discarded) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void onProduced(String queue, int items, Duration elapsed) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void onLeased(String queue, int items, Duration elapsed) {
            throw new AssertionError("broken");
        }

        @Override
        public void onCompleted(String queue, int items, Duration elapsed) {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void every_meter_is_documented() throws IOException {
        a_handler_that_fails_is_counted_and_so_are_retries_and_dead_letters();
        operations_on_locks_are_timed_by_type_and_result();
        metrics.watch(leasehold);
        metrics.refresh();
        Path root = Files.exists(Path.of("docs/metrics.md")) ? Path.of("") : Path.of("..");
        String document = Files.readString(root.resolve("docs/metrics.md"));

        Set<String> names = Pattern.compile("(?m)^# TYPE (leasehold_\\S+) ")
                .matcher(registry.scrape())
                .results()
                .map((MatchResult type) -> type.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(names)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(document).contains("`" + name + "`"));
    }
}
