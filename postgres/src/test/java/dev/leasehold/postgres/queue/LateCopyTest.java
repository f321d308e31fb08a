package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.QueueUpdate;
import dev.leasehold.testkit.TestWaits;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node whose way to the far store is slow writes the copy of a record when another node has deleted the queue already. */
@Tag("slow")
class LateCopyTest extends TwoStores {
    private static final QueueConfig LATE = QueueConfig.named("late").partitions(2);

    /** The node with the slow way, which waits for it for long. */
    private PostgresQueues slow() {
        return PostgresQueues.builder()
                .store("near", 1, near)
                .store("far", 1, proxy.through(far))
                .timeout(TestWaits.LIMIT)
                .build();
    }

    private PostgresQueues fast() {
        return PostgresQueues.builder()
                .store("near", 1, near)
                .store("far", 1, far)
                .build();
    }

    @Test
    void the_copy_of_a_queue_that_was_deleted_while_it_was_created_does_not_stay() {
        try (PostgresQueues slow = slow();
                PostgresQueues fast = fast()) {
            proxy.faults().blackHole();
            CompletableFuture<QueueInfo> created = slow.createAsync(LATE);
            await(() -> records(near, "late") == 1);
            fast.delete("late");
            proxy.faults().endBlackHole();
            TestWaits.get(created);

            assertNothingIsLeft(slow);
        }
    }

    @Test
    void the_copy_of_a_queue_that_was_deleted_while_it_was_updated_does_not_stay() {
        try (PostgresQueues slow = slow();
                PostgresQueues fast = fast()) {
            slow.create(LATE.partitions(1));
            proxy.faults().blackHole();
            CompletableFuture<QueueInfo> updated = slow.updateAsync(QueueUpdate.to(LATE.partitions(4)));
            await(() -> fast.info("late").config().partitions() == 4);
            assertThat(records(far, "late")).isZero();
            fast.delete("late");
            proxy.faults().endBlackHole();
            TestWaits.get(updated);

            assertNothingIsLeft(slow);
        }
    }

    private void assertNothingIsLeft(PostgresQueues node) {
        assertThat(records(far, "late")).isZero();
        QueueException refused = catchThrowableOfType(QueueException.class, () -> {
            for (int i = 0; i < 4; i++) { // one for each partition
                node.queue("late").produce(NewItem.of("lost"));
            }
        });
        assertThat(refused).isNotNull();
        assertThat(refused.code()).isEqualTo(QueueErrorCode.NO_SUCH_QUEUE);
    }
}
