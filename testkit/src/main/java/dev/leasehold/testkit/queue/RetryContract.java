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
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that were not done get another turn at the tail, now or later, or none. */
public class RetryContract extends QueueContract {
    @Test
    void a_retried_item_is_leased_again_with_one_more_attempt() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedItem first = leaseOne(queue);
        queue.retry(0, List.of(RetryItem.now(first.id())));

        StoredItem ready = onlyStored(queue);
        assertThat(ready.isLeased()).isFalse();
        assertThat(ready.leaseDeadline()).isNull();
        assertThat(ready.attempts()).isEqualTo(1);
        LeasedItem second = leaseOne(queue);
        assertThat(second.attempts()).isEqualTo(2);
        assertThat(second.text()).isEqualTo("a");
        assertThat(second.id()).isEqualTo(ready.id()).isGreaterThan(first.id());
        queue.complete(0, List.of(second.id()));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void a_retried_item_goes_to_the_tail_under_a_new_id() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        produce(queue, "b");
        produce(queue, "c");
        ItemId old = leaseOne(queue).id();
        queue.retry(0, List.of(RetryItem.now(old)));

        LeasedBatch batch = lease(queue, 3);
        assertThat(texts(batch)).containsExactly("b", "c", "a");
        assertThat(batch.items().get(2).attempts()).isEqualTo(2);
        assertThat(batch.items().get(2).id()).isNotEqualTo(old);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> queue.complete(0, List.of(old)));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> retryNow(queue, old));
    }

    private static void retryNow(ItemQueue queue, ItemId id) {
        queue.retry(0, List.of(RetryItem.now(id)));
    }

    @Test
    void a_retried_item_keeps_all_but_its_id_and_its_lease() {
        ItemQueue queue = newQueue();
        queue.produce(NewItem.of("p").reference("r").encoding("e").kind("k"));
        LeasedItem leased = leaseOne(queue);
        StoredItem before = onlyStored(queue);
        clock().advance(Duration.ofSeconds(10));
        retryNow(queue, leased.id());
        assertThat(onlyStored(queue))
                .usingRecursiveComparison()
                .ignoringFields("id", "isLeased", "leaseDeadline")
                .isEqualTo(before);
    }

    @Test
    void an_item_retried_later_is_scheduled_until_then() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId old = leaseOne(queue).id();
        queue.retry(0, List.of(RetryItem.at(old, When.at(now().plus(LEASE)))));

        assertThat(stored(queue)).isEmpty();
        assertThat(scheduled(queue)).hasSize(1);
        assertNear(scheduled(queue).get(0).enqueueAt(), now().plus(LEASE));
        assertThat(scheduled(queue).get(0).isLeased()).isFalse();
        assertNothingToLease(queue);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> queue.complete(0, List.of(old)));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> retryNow(queue, old));

        outlive(LEASE);
        await(() -> scheduled(queue).isEmpty());
        LeasedItem again = leaseOne(queue);
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.id()).isGreaterThan(old);
    }

    @Test
    void an_item_can_be_retried_after_a_while() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        queue.retry(0, List.of(RetryItem.at(leaseOne(queue).id(), When.after(Duration.ofMinutes(5)))));
        assertNear(scheduled(queue).get(0).enqueueAt(), now().plus(Duration.ofMinutes(5)));
        outlive(Duration.ofMinutes(5));
        assertThat(awaitReady(queue).enqueueAt()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {-60_000, -1, 0, 50})
    void an_item_retried_in_the_past_or_almost_now_is_ready_at_once(long ms) {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        queue.retry(0, List.of(RetryItem.at(leaseOne(queue).id(), When.at(now().plusMillis(ms)))));
        assertThat(scheduled(queue)).isEmpty();
        assertThat(leaseOne(queue).attempts()).isEqualTo(2);
    }

    @Test
    void an_item_that_is_not_to_be_retried_goes_away_if_there_is_no_dead_queue() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        assertThat(stored(queue)).isEmpty();
        assertThat(scheduled(queue)).isEmpty();
        assertNothingToLease(queue);
    }

    @Test
    void one_call_can_retry_now_later_and_never() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()));
        produce(queue, "now", "later", "never", "kept");
        List<ItemId> ids = lease(queue, 4).ids();
        queue.retry(
                0,
                List.of(
                        RetryItem.now(ids.get(0)),
                        RetryItem.at(ids.get(1), When.after(Duration.ofHours(1))),
                        RetryItem.dead(ids.get(2))));
        assertThat(texts(stored(queue))).containsExactly("kept", "now");
        assertThat(texts(scheduled(queue))).containsExactly("later");
        assertThat(texts(stored(dead))).containsExactly("never");
    }

    @Test
    void a_lease_that_waits_is_answered_by_a_retry() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId id = leaseOne(queue).id();
        var waiting = park(queue, 1);
        retryNow(queue, id);
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    void an_item_that_is_not_leased_cannot_be_retried() {
        ItemQueue queue = newQueue();
        ItemId id = produce(queue, "a").ids().get(0);
        assertFails(
                QueueErrorCode.NOT_LEASED,
                "item(s) cannot be retried; '" + id + "' is not marked as leased",
                () -> retryNow(queue, id));
    }

    @Test
    void an_imported_item_that_is_not_leased_cannot_be_retried() {
        ItemQueue queue = newQueue();
        ItemId id = id(queue.admin()
                .importItems(0, List.of(StoredItem.of(new byte[] {1})))
                .get(0));
        assertFails(
                QueueErrorCode.NOT_LEASED,
                "item(s) cannot be retried; '" + id + "' is not marked as leased",
                () -> retryNow(queue, id));
    }

    @Test
    void an_id_that_never_was_cannot_be_retried() {
        ItemQueue queue = newQueue();
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> retryNow(queue, UNKNOWN));
    }

    @Test
    void if_one_id_is_wrong_nothing_is_retried() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()));
        produce(queue, "a", "b", "c");
        List<ItemId> ids = lease(queue, 3).ids();
        List<RetryItem> retries = List.of(
                RetryItem.now(ids.get(0)),
                RetryItem.dead(ids.get(1)),
                RetryItem.at(ids.get(2), When.after(LEASE)),
                RetryItem.now(UNKNOWN));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> queue.retry(0, retries));

        assertThat(stored(queue).stream().map(StoredItem::id)).isEqualTo(ids);
        assertThat(stored(queue)).allMatch(StoredItem::isLeased);
        assertThat(scheduled(queue)).isEmpty();
        assertThat(stored(dead)).isEmpty();
        queue.complete(0, ids);
    }

    @Test
    void a_thousand_items_can_be_retried_at_once() {
        ItemQueue queue = newQueue();
        produce(queue, 1000);
        queue.retry(0, lease(queue, 1000).ids().stream().map(RetryItem::now).toList());
        assertThat(texts(stored(queue))).containsExactlyInAnyOrderElementsOf(texts(1000));
        assertThat(lease(queue, 1000).items())
                .allSatisfy(item -> assertThat(item.attempts()).isEqualTo(2));
    }
}
