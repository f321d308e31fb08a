package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.Produced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Completed items are gone; a call completes all that it names, or none. */
public class CompleteContract extends QueueContract {
    @Test
    void completed_items_are_gone() {
        ItemQueue queue = newQueue();
        produce(queue, 10);
        LeasedBatch batch = lease(queue, 10);
        queue.complete(batch);
        assertThat(stored(queue)).isEmpty();
        assertNothingToLease(queue);
    }

    @Test
    void a_part_of_a_batch_can_be_completed() {
        ItemQueue queue = newQueue();
        produce(queue, 10);
        List<ItemId> ids = lease(queue, 10).ids();
        queue.complete(0, List.of(ids.get(7), ids.get(0), ids.get(3)));
        assertThat(stored(queue)).hasSize(7).allMatch(StoredItem::isLeased);
        assertThat(stored(queue).stream().map(StoredItem::id)).doesNotContain(ids.get(7), ids.get(0), ids.get(3));
    }

    @Test
    void a_thousand_items_can_be_completed_at_once() {
        ItemQueue queue = newQueue();
        produce(queue, 1000);
        queue.complete(lease(queue, 1000));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void an_item_that_is_not_leased_cannot_be_completed() {
        ItemQueue queue = newQueue();
        Produced produced = produce(queue, 15);
        assertFails(
                QueueErrorCode.NOT_LEASED, notLeased(produced.ids().get(0)), () -> queue.complete(0, produced.ids()));
        assertThat(stored(queue)).hasSize(15);
    }

    private static String notLeased(ItemId id) {
        return "item(s) cannot be completed; '" + id + "' is not marked as leased";
    }

    @Test
    void an_id_that_never_was_cannot_be_completed() {
        ItemQueue queue = newQueue();
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> queue.complete(0, List.of(UNKNOWN)));
        produce(queue, "a");
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> queue.complete(0, List.of(UNKNOWN)));
    }

    @Test
    void an_item_is_completed_once() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedBatch batch = lease(queue, 1);
        queue.complete(batch);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(batch.ids().get(0)), () -> queue.complete(batch));
    }

    @Test
    void an_item_that_is_scheduled_cannot_be_completed() {
        ItemQueue queue = newQueue();
        Produced produced = queue.produce(NewItem.of("later").when(When.after(Duration.ofHours(1))));
        ItemId id = produced.ids().get(0);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(id), () -> queue.complete(0, List.of(id)));
        assertThat(scheduled(queue)).hasSize(1);
    }

    @Test
    void if_one_id_is_wrong_nothing_is_completed_and_it_is_named() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b", "c");
        List<ItemId> ids = lease(queue, 3).ids();
        assertFails(
                QueueErrorCode.NO_SUCH_ITEM,
                doesNotExist(UNKNOWN),
                () -> queue.complete(0, List.of(ids.get(0), UNKNOWN, ids.get(1))));
        assertThat(stored(queue)).hasSize(3).allMatch(StoredItem::isLeased);

        queue.complete(0, ids);
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void of_several_wrong_ids_the_first_is_named() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b");
        ItemId leased = leaseOne(queue).id();
        ItemId ready = id(stored(queue).get(1));
        assertFails(
                QueueErrorCode.NOT_LEASED, notLeased(ready), () -> queue.complete(0, List.of(leased, ready, UNKNOWN)));
        assertFails(
                QueueErrorCode.NO_SUCH_ITEM,
                doesNotExist(UNKNOWN),
                () -> queue.complete(0, List.of(UNKNOWN, leased, ready)));
        assertThat(stored(queue)).hasSize(2);
    }

    @Test
    void calls_with_wrong_ids_do_no_harm_to_calls_beside_them() {
        ItemQueue queue = newQueue();
        produce(queue, 100);
        List<LeasedItem> items = lease(queue, 100).items();
        List<CompletableFuture<Void>> right = new ArrayList<>();
        List<CompletableFuture<Void>> wrong = new ArrayList<>();
        for (LeasedItem item : items) {
            right.add(queue.completeAsync(0, List.of(item.id())));
            wrong.add(queue.completeAsync(0, List.of(UNKNOWN)));
        }
        right.forEach(QueueContract::soon);
        wrong.forEach(one -> assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> soon(one)));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void of_two_who_complete_the_same_item_one_succeeds() {
        ItemQueue queue = newQueue();
        for (int i = 0; i < 20; i++) {
            produce(queue, "a");
            List<ItemId> ids = lease(queue, 1).ids();
            var calls = List.of(queue.completeAsync(0, ids), queue.completeAsync(0, ids));
            await(() -> calls.stream().allMatch(CompletableFuture::isDone));
            assertThat(calls.stream().filter(CompletableFuture::isCompletedExceptionally))
                    .hasSize(1);
        }
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void the_partition_must_be_the_one_of_the_lease() {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        produce(queue, "a");
        LeasedBatch batch = lease(queue, 1);
        assertThat(batch.partition()).isZero();
        assertFails(
                QueueErrorCode.NO_SUCH_ITEM, doesNotExist(batch.ids().get(0)), () -> queue.complete(1, batch.ids()));
        assertThat(stored(queue)).hasSize(1);
        queue.complete(batch);
    }

    @Test
    void an_id_is_of_one_queue() {
        ItemQueue queue = newQueue();
        ItemQueue other = newQueue();
        produce(queue, "a");
        produce(other, "b");
        List<ItemId> ids = lease(queue, 1).ids();
        lease(other, 1);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(ids.get(0)), () -> other.complete(0, ids));
        assertThat(stored(queue)).hasSize(1);
        assertThat(stored(other)).hasSize(1);
    }

    @Test
    void whoever_knows_the_id_can_complete_the_item() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedBatch batch = lease(queue, 1);
        anotherNode().queue(queue.name()).complete(batch);
        assertThat(stored(queue)).isEmpty();
    }
}
