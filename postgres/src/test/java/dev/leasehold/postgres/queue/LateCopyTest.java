package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.ItemQueue;
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

    @Test
    void a_copy_whose_deletion_was_not_finished_is_not_in_the_way_of_the_next_queue_of_that_name() {
        leaveHalfDeletedCopy();
        try (PostgresQueues fast = fast()) {
            fast.create(LATE);
            ItemQueue late = fast.queue("late");
            for (int i = 0; i < 2; i++) { // one for each partition
                late.produce(NewItem.of("new"));
            }

            assertThat(late.admin().stats().partitions())
                    .extracting(QueueStats.Partition::total)
                    .containsExactly(1L, 1L);
        }
    }

    @Test
    void a_copy_whose_deletion_was_not_finished_is_removed_though_nobody_wants_its_name() {
        leaveHalfDeletedCopy();

        await(() -> records(far, "late") == 0); // by the node that every test of two stores has
        assertThat(Db.number(far, "select count(*) from pg_class where oid = to_regclass('" + table("late", 1) + "')"))
                .isZero();
    }

    /** As a node leaves it that ends between the first and the last statement of a deletion in the far store. */
    private void leaveHalfDeletedCopy() {
        try (PostgresQueues fast = fast()) {
            fast.create(LATE);
            for (int i = 0; i < 2; i++) {
                fast.queue("late").produce(NewItem.of("old"));
            }
        }
        Db.execute(near, "delete from queues where name = 'late'; drop table " + table("late", 0));
        Db.execute(far, "update queues set deleted = true, version = version + 1 where name = 'late'");
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
