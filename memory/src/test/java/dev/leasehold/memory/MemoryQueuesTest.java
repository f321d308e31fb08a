package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory engine behind the API. What all engines promise is in the contracts. */
@Timeout(value = TestWaits.TEST_LIMIT, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryQueuesTest {
    private static final LeaseRequest REQUEST = LeaseRequest.of("client", 10);

    private final MemoryQueueStore store = new MemoryQueueStore();

    @Test
    void queues_are_ready_to_use() {
        try (Queues queues = MemoryQueues.create()) {
            queues.create(QueueConfig.named("queue"));
            ItemQueue queue = queues.queue("queue");
            queue.produce(NewItem.of("a"), NewItem.of("b"));
            LeasedBatch batch = queue.lease(REQUEST);
            assertThat(batch.items()).extracting(item -> item.text()).containsExactly("a", "b");
            queue.complete(batch);
            assertThat(queue.admin().stats().partitions().get(0).total()).isZero();
        }
    }

    @Test
    void every_created_one_is_a_world_of_its_own() {
        try (Queues one = MemoryQueues.create();
                Queues other = MemoryQueues.create(QueueOptions.DEFAULT)) {
            one.create(QueueConfig.named("queue"));
            isMissing(() -> other.info("queue"));
        }
    }

    @Test
    void nodes_on_one_store_share_its_queues_and_outlive_each_other() {
        try (Queues other = node()) {
            try (Queues one = node()) {
                one.create(QueueConfig.named("queue"));
                one.queue("queue").produce(NewItem.of("a"));
            }
            assertThat(other.queue("queue").lease(REQUEST).items()).hasSize(1);
        }
        try (Queues later = node()) {
            assertThat(later.queue("queue").admin().stats().partitions().get(0).totalLeased())
                    .isEqualTo(1);
        }
    }

    @Test
    void who_waits_at_one_node_hears_of_what_another_produces() throws Exception {
        try (Queues one = slow();
                Queues other = slow()) {
            one.create(QueueConfig.named("queue"));
            CompletableFuture<LeasedBatch> waiting = one.queue("queue").leaseAsync(REQUEST);
            other.queue("queue").produce(NewItem.of("a"));
            assertThat(TestWaits.get(waiting).items()).hasSize(1);
        }
    }

    @Test
    void a_queue_bound_to_a_namespace_does_not_find_one_that_was_created_anew_in_another() {
        try (Queues one = slow();
                Queues other = slow()) {
            other.create(QueueConfig.named("queue").namespace("old"));
            ItemQueue bound = one.queue("queue").within("old");
            bound.produce(NewItem.of("a"));
            other.delete("queue");
            other.create(QueueConfig.named("queue").namespace("new"));
            isMissing(() -> bound.produce(NewItem.of("b")));
            isMissing(() -> bound.lease(REQUEST));
            isMissing(bound.admin()::stats);
            assertThat(other.queue("queue").admin().stats().partitions().get(0).total())
                    .isZero();
        }
    }

    private static void isMissing(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(QueueErrorCode.NO_SUCH_QUEUE));
    }

    private Queues node() {
        return MemoryQueues.on(store, QueueOptions.DEFAULT);
    }

    /** A node that finds nothing by looking. */
    private Queues slow() {
        return MemoryQueues.on(store, QueueOptions.DEFAULT.lookInterval(Duration.ofHours(1)));
    }
}
