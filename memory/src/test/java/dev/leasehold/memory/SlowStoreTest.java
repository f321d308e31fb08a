package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.LeaseQueues;
import dev.leasehold.queue.spi.NamedStore;
import dev.leasehold.testkit.TestWaits;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time of a lease request ends while the store is slow to answer. It is empty only if the store had nothing for it. */
@Timeout(TestWaits.TEST_LIMIT)
class SlowStoreTest {
    private static final Duration BRIEFLY = Duration.ofMillis(20);

    private final MemoryQueueStore store = new MemoryQueueStore();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger looks = new AtomicInteger();
    private volatile @Nullable Thread slowThread;
    private final Node node = new Node();

    private final class Node extends LeaseQueues {
        Node() {
            super(
                    store.records(),
                    List.of(new NamedStore(MemoryQueueStore.NAME, 1, slow(store.items()))),
                    QueueOptions.DEFAULT.lookInterval(Duration.ofHours(1)));
        }
    }

    /** A store that is slow to answer the next question of {@link #slowThread}, and tells nothing of what other nodes do. */
    private ItemStore slow(ItemStore items) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            boolean isQuestion = Set.of("lease", "look").contains(method.getName());
            if (isQuestion && Thread.currentThread() == slowThread) {
                slowThread = null;
                begun.countDown();
                assertThat(goOn.await(TestWaits.TEST_LIMIT, TimeUnit.SECONDS)).isTrue();
            }
            Object result = method.getName().equals("subscribe") ? null : method.invoke(items, arguments);
            looks.addAndGet(method.getName().equals("look") ? 1 : 0);
            return result instanceof ItemStore other ? slow(other) : result;
        };
        return (ItemStore)
                Proxy.newProxyInstance(ItemStore.class.getClassLoader(), new Class<?>[] {ItemStore.class}, handler);
    }

    /** Leases in a thread of its own; returns when the store has been asked. */
    private CompletableFuture<LeasedBatch> leaseSlowly(ItemQueue queue, LeaseRequest request)
            throws InterruptedException {
        CompletableFuture<LeasedBatch> leased = CompletableFuture.supplyAsync(() -> {
            slowThread = Thread.currentThread();
            return queue.lease(request);
        });
        begun.await();
        return leased;
    }

    @AfterEach
    void close() {
        goOn.countDown();
        node.close();
    }

    private ItemQueue queueOf(int partitions) {
        node.create(QueueConfig.named("idle"));
        node.create(QueueConfig.named("q").partitions(partitions));
        return node.queue("q");
    }

    /** The timer of a node rings in order: when this one has rung, all that were due before it have. */
    private void awaitTimer() {
        assertThat(node.queue("idle")
                        .lease(LeaseRequest.of("timer", 1).timeout(BRIEFLY.multipliedBy(2)))
                        .items())
                .isEmpty();
    }

    private static List<String> texts(CompletableFuture<LeasedBatch> lease) {
        return TestWaits.get(lease).items().stream().map(LeasedItem::text).toList();
    }

    @Test
    void the_store_is_asked_for_whoever_came_while_it_answered_another() throws InterruptedException {
        ItemQueue queue = queueOf(1);
        queue.produce(ProduceRequest.of(List.of(NewItem.of("first"), NewItem.of("second"))));
        CompletableFuture<LeasedBatch> first = leaseSlowly(queue, LeaseRequest.of("first", 1));
        CompletableFuture<LeasedBatch> second =
                queue.leaseAsync(LeaseRequest.of("second", 1).timeout(BRIEFLY));
        awaitTimer();
        goOn.countDown();

        assertThat(texts(first)).containsExactly("first");
        assertThat(texts(second)).containsExactly("second");
    }

    @Test
    void what_is_found_too_late_is_leased_all_the_same() throws InterruptedException {
        ItemQueue queue = queueOf(2);
        TestWaits.await().until(() -> looks.get() >= 2); // at both queues, when the node gets to know them
        try (MemoryQueues other = MemoryQueues.on(store, QueueOptions.DEFAULT)) {
            other.queue("q").produce(NewItem.of("there"));
        }
        CompletableFuture<LeasedBatch> lease =
                leaseSlowly(queue, LeaseRequest.of("late", 1).timeout(BRIEFLY));
        awaitTimer();
        goOn.countDown();

        assertThat(texts(lease)).containsExactly("there");
    }
}
