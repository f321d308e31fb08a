package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A queue can be cleared of what is ready, of what is scheduled, and of what is leased too. */
public class ClearContract extends QueueContract {
    private static final ClearRequest READY = new ClearRequest(true, false, false);
    private static final ClearRequest READY_AND_LEASED = new ClearRequest(true, false, true);
    private static final ClearRequest SCHEDULED = new ClearRequest(false, true, false);
    private static final ClearRequest BOTH = new ClearRequest(true, true, false);

    @Test
    void clear_takes_what_is_ready_and_leaves_what_is_leased() {
        ItemQueue queue = newQueue();
        produce(queue, 502);
        LeasedBatch batch = lease(queue, 2);
        queue.admin().clear(READY);
        assertThat(stored(queue)).hasSize(2).allMatch(StoredItem::isLeased);
        queue.complete(batch);
    }

    @Test
    void a_destructive_clear_takes_what_is_leased_too() {
        ItemQueue queue = newQueue();
        produce(queue, 202);
        LeasedBatch batch = lease(queue, 2);
        queue.admin().clear(READY_AND_LEASED);
        assertThat(stored(queue)).isEmpty();
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(batch.ids().get(0)), () -> queue.complete(batch));
    }

    @Test
    void a_destructive_clear_leaves_what_is_scheduled() {
        ItemQueue queue = newQueue();
        produce(queue, 3);
        schedule(queue, 4);
        queue.admin().clear(READY_AND_LEASED);
        assertCounts(queue, 0, 4);
    }

    @Test
    void clear_scheduled_leaves_what_is_ready_and_leased() {
        ItemQueue queue = newQueue();
        produce(queue, 10);
        lease(queue, 3);
        schedule(queue, 20);
        queue.admin().clear(SCHEDULED);
        assertCounts(queue, 10, 0);
        assertThat(stored(queue).stream().filter(StoredItem::isLeased)).hasSize(3);
    }

    @Test
    void both_can_be_cleared_at_once() {
        ItemQueue queue = newQueue();
        produce(queue, 15);
        schedule(queue, 25);
        queue.admin().clear(BOTH);
        assertCounts(queue, 0, 0);
    }

    private static void schedule(ItemQueue queue, int count) {
        queue.produce(ProduceRequest.of(texts(count).stream()
                .map(text -> NewItem.of(text).when(When.after(Duration.ofHours(1))))
                .toList()));
    }

    private static void assertCounts(ItemQueue queue, int total, int scheduled) {
        assertThat(stored(queue)).hasSize(total);
        assertThat(scheduled(queue)).hasSize(scheduled);
        assertThat(queue.admin().stats().partitions().get(0).total()).isEqualTo(total);
        assertThat(queue.admin().stats().partitions().get(0).scheduled()).isEqualTo(scheduled);
    }

    @Test
    void all_partitions_are_cleared() {
        ItemQueue queue = newQueue(config -> config.partitions(3));
        for (int i = 0; i < 6; i++) {
            produce(queue, "a", "b");
        }
        queue.admin().clear(READY);
        assertThat(queue.admin().stats().partitions())
                .allSatisfy(one -> assertThat(one.total()).isZero());
    }

    @Test
    void a_queue_that_was_never_used_can_be_cleared() {
        ItemQueue queue = newQueue();
        queue.admin().clear(BOTH);
        assertCounts(queue, 0, 0);
    }

    @Test
    void a_cleared_queue_works_on() {
        ItemQueue queue = newQueue();
        produce(queue, 100);
        queue.admin().clear(READY);
        produce(queue, "new");
        assertThat(texts(lease(queue, 10))).containsExactly("new");
    }

    @Test
    void a_clear_that_clears_nothing_is_refused() {
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "invalid clear request; one of 'queue', 'scheduled' must be true",
                () -> new ClearRequest(false, false, true));
    }
}
