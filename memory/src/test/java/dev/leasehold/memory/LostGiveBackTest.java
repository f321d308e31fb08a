package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.LeaseQueues;
import dev.leasehold.queue.spi.NamedStore;
import dev.leasehold.testkit.TestWaits;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer gives back what it has not begun. The reply is lost, and somebody else leases the items before it repeats the call. */
@Timeout(TestWaits.TEST_LIMIT)
class LostGiveBackTest {
    private static final String QUEUE = "queue";

    private final MemoryQueueStore store = new MemoryQueueStore();
    private final MemoryQueues others = MemoryQueues.on(store, QueueOptions.DEFAULT);
    private final AtomicInteger giveBacks = new AtomicInteger();
    private final CompletableFuture<LeasedBatch> theirs = new CompletableFuture<>();
    private final Node node = new Node();

    private final class Node extends LeaseQueues {
        Node() {
            super(
                    store.records(),
                    List.of(new NamedStore(MemoryQueueStore.NAME, 1, lossy(store.items()))),
                    QueueOptions.DEFAULT);
        }
    }

    /** A store that carries out the first give-back, lets somebody else lease the items, and loses the reply. */
    private ItemStore lossy(ItemStore items) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object result = method.invoke(items, arguments);
            if (method.getName().equals("giveBack") && giveBacks.incrementAndGet() == 1) {
                theirs.complete(others.queue(QUEUE).lease(LeaseRequest.of("they", 10)));
                return CompletableFuture.failedFuture(
                        new QueueException(QueueErrorCode.NETWORK_TIMEOUT, "the reply was lost"));
            }
            return result instanceof ItemStore other ? lossy(other) : result;
        };
        return (ItemStore)
                Proxy.newProxyInstance(ItemStore.class.getClassLoader(), new Class<?>[] {ItemStore.class}, handler);
    }

    @AfterEach
    void close() {
        node.close();
        others.close();
    }

    @Test
    void a_consumer_that_repeats_a_give_back_takes_the_items_from_nobody() throws Exception {
        ItemQueue queue = node.queue(node.create(QueueConfig.named(QUEUE)).name());
        queue.produce(NewItem.of("begun"), NewItem.of("a"), NewItem.of("b"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Consumer consumer = queue.consume(ConsumeOptions.DEFAULT.concurrency(1).batchSize(3), work -> {
            begun.countDown();
            goOn.await();
        });
        begun.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(consumer::close);
        assertThat(theirs.join().items()).hasSize(2);
        TestWaits.await().until(() -> giveBacks.get() >= 2);
        goOn.countDown();
        closing.join();

        assertThat(others.queue(QUEUE)
                        .lease(LeaseRequest.of("third", 10).timeout(Duration.ofMillis(100)))
                        .items())
                .isEmpty();
        assertThat(others.queue(QUEUE).admin().list(ItemListing.of(0)))
                .hasSize(2)
                .allMatch(StoredItem::isLeased)
                .allMatch(item -> item.attempts() == 1);
        others.queue(QUEUE).complete(theirs.join());
    }
}
