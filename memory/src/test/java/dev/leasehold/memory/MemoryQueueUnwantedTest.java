package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.internal.Directory;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.spi.LeaseQueues;
import dev.leasehold.queue.spi.NamedStore;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease that is answered in the moment in which its caller cancels it. */
@Timeout(TestWaits.TEST_LIMIT)
class MemoryQueueUnwantedTest {
    private final Node node = new Node(new MemoryQueueStore());

    private static final class Node extends LeaseQueues {
        Node(MemoryQueueStore store) {
            super(
                    store.records(),
                    List.of(new NamedStore(MemoryQueueStore.NAME, 1, store.items())),
                    QueueOptions.DEFAULT);
        }

        Directory directory() {
            return node().directory();
        }
    }

    /** Stands for a waiting lease that has its answer already: a cancel comes too late. */
    private static final class Answered extends CompletableFuture<LeasedBatch> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void its_items_go_back_to_where_they_were() {
        node.create(QueueConfig.named("q"));
        ItemQueue queue = node.queue("q");
        queue.produce(NewItem.of("a"));
        LeasedBatch leased = lease(queue, "first");

        Answered answer = new Answered();
        CompletableFuture<LeasedBatch> cancelled = node.directory().lease("q", live -> answer);
        assertThat(cancelled.cancel(true)).isTrue();
        answer.complete(leased);

        LeasedBatch again = lease(queue, "second");
        assertThat(again.items().get(0).text()).isEqualTo("a");
        assertThat(again.items().get(0).attempts()).isEqualTo(1);
    }

    private static LeasedBatch lease(ItemQueue queue, String client) {
        return queue.lease(LeaseRequest.of(client, 1).timeout(Duration.ofSeconds(5)));
    }
}
