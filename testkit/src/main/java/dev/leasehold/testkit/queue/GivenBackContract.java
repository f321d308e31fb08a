package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An id is good for one lease. Whoever gave an item back can do nothing to it any more, however often it repeats its call. */
public class GivenBackContract extends QueueContract {
    private static final int ROUNDS = 30;

    /** Leases the one item, and gives it back. */
    private ItemId givenBack(ItemQueue queue) {
        ItemId id = leaseOne(queue).id();
        queue.giveBack(0, List.of(id));
        return id;
    }

    @Test
    void a_give_back_that_is_repeated_takes_the_item_from_nobody() {
        ItemQueue queue = newQueue(config -> config.maxAttempts(2));
        produce(queue, "a");
        ItemId stale = givenBack(queue);
        LeasedItem theirs = leaseOne(queue);

        queue.giveBack(0, List.of(stale));
        assertNothingToLease(queue);
        StoredItem stored = onlyStored(queue);
        assertThat(stored.isLeased()).isTrue();
        assertThat(stored.attempts()).isEqualTo(1);
        queue.complete(0, List.of(theirs.id()));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void a_give_back_that_is_repeated_on_another_node_takes_the_item_from_nobody() {
        ItemQueue queue = newQueue();
        ItemQueue other = anotherNode().queue(queue.name());
        produce(queue, "a");
        ItemId stale = givenBack(queue);
        LeasedItem theirs = leaseOne(other);

        other.giveBack(0, List.of(stale));
        queue.giveBack(0, List.of(stale));
        assertThat(onlyStored(queue).isLeased()).isTrue();
        other.extend(0, List.of(theirs.id()), LEASE);
        queue.complete(0, List.of(theirs.id()));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void only_a_give_back_changes_the_id() {
        ItemQueue queue = newQueue();
        ItemId produced = produce(queue, "a").ids().get(0);
        assertThat(id(onlyStored(queue))).isEqualTo(produced);
        assertThat(leaseOne(queue).id()).isEqualTo(produced);
        assertThat(id(onlyStored(queue))).isEqualTo(produced);

        queue.giveBack(0, List.of(produced));
        ItemId listed = id(onlyStored(queue));
        assertThat(listed).isNotEqualTo(produced);
        assertThat(leaseOne(queue).id()).isEqualTo(listed);
        queue.complete(0, List.of(listed));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void ids_of_what_was_given_back_sort_in_the_order_of_the_queue() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b", "c");
        for (int i = 0; i < 3; i++) {
            LeasedBatch batch = lease(queue, 2);
            queue.giveBack(0, batch.ids());
        }
        assertThat(texts(stored(queue))).containsExactly("a", "b", "c");
        assertThat(stored(queue).stream().map(QueueContract::id)).isSorted();
    }

    @Test
    void whoever_gave_an_item_back_cannot_complete_retry_or_extend_it() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId stale = givenBack(queue);
        assertStale(queue, stale); // while it is ready
        ItemId theirs = leaseOne(queue).id();
        clock().advance(LEASE.dividedBy(2));
        StoredItem before = onlyStored(queue);
        assertStale(queue, stale); // while somebody else has it
        queue.admin().delete(0, List.of(stale));

        assertThat(onlyStored(queue)).usingRecursiveComparison().isEqualTo(before);
        queue.complete(0, List.of(theirs));
    }

    private static void assertStale(ItemQueue queue, ItemId stale) {
        List<ItemId> ids = List.of(stale);
        String unknown = doesNotExist(stale);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, unknown, () -> queue.complete(0, ids));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, unknown, () -> queue.extend(0, ids, Duration.ofHours(1)));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, unknown, () -> queue.retry(0, List.of(RetryItem.now(stale))));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, unknown, () -> queue.retry(0, List.of(RetryItem.dead(stale))));
    }

    @Test
    void a_call_with_an_old_id_and_one_with_the_right_id_do_not_disturb_each_other() {
        ItemQueue queue = newQueue();
        for (int i = 0; i < ROUNDS; i++) {
            produce(queue, "a", "b");
            ItemId stale = givenBack(queue);
            LeasedBatch batch = lease(queue, 2);
            List<CompletableFuture<Void>> late = new ArrayList<>();
            late.add(queue.completeAsync(0, List.of(stale)));
            CompletableFuture<Void> right = queue.completeAsync(0, batch.ids());
            late.add(queue.completeAsync(0, List.of(stale)));
            soon(right);
            late.forEach(call -> assertFails(QueueErrorCode.NO_SUCH_ITEM, () -> soon(call)));
            assertThat(stored(queue)).isEmpty();
        }
    }

    @Test
    void one_call_that_names_an_item_by_its_old_and_its_new_id_is_refused() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId stale = givenBack(queue);
        ItemId right = leaseOne(queue).id();
        for (List<ItemId> ids : List.of(List.of(stale, right), List.of(right, stale))) {
            assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(stale), () -> queue.complete(0, ids));
            assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(stale), () -> queue.extend(0, ids, LEASE));
            List<RetryItem> retries = ids.stream().map(RetryItem::now).toList();
            assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(stale), () -> queue.retry(0, retries));
        }
        assertThat(onlyStored(queue).isLeased()).isTrue();
    }

    @Test
    void a_give_back_of_the_old_and_the_new_id_together_gives_back_once() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId stale = givenBack(queue);
        ItemId right = leaseOne(queue).id();
        queue.giveBack(0, List.of(right, stale, UNKNOWN));
        LeasedItem again = leaseOne(queue);
        queue.giveBack(0, List.of(stale, right, again.id()));
        assertThat(leaseOne(queue).attempts()).isEqualTo(1);
        queue.admin().delete(0, List.of(stale, right, again.id()));
        assertThat(stored(queue)).hasSize(1);
    }
}
