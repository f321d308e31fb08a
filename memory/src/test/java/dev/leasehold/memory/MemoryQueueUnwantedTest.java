package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.spi.Futures;
import dev.leasehold.testkit.TestWaits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease that is cancelled after its items were dealt and before it is answered. */
@Timeout(TestWaits.TEST_LIMIT)
class MemoryQueueUnwantedTest {
    private final Queues node = MemoryQueues.on(new MemoryQueueStore(), QueueOptions.DEFAULT);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void its_items_are_given_back() {
        node.create(QueueConfig.named("q"));
        ItemQueue queue = node.queue("q");
        CompletableFuture<LeasedBatch> first = queue.leaseAsync(LeaseRequest.of("first", 1));
        CompletableFuture<LeasedBatch> second = queue.leaseAsync(LeaseRequest.of("second", 1));
        Futures.whenDone(first, (batch, failure) -> second.cancel(true)); // one lease is for both, and answers in order

        queue.produce(ProduceRequest.of(List.of(NewItem.of("a"), NewItem.of("b"))));

        assertThat(TestWaits.get(first).items()).extracting(LeasedItem::text).containsExactly("a");
        assertThat(second).isCancelled();
        LeasedBatch again = queue.lease(LeaseRequest.of("second", 1));
        assertThat(again.items().get(0).text()).isEqualTo("b");
        assertThat(again.items().get(0).attempts()).isEqualTo(1);
    }
}
