package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases end, items have a number of attempts and a time to live; then they go. */
public class LifecycleContract extends QueueContract {
    @Test
    void an_item_whose_lease_ends_goes_to_the_tail_under_a_new_id() {
        ItemQueue queue = newQueue(config -> config.maxAttempts(2).discardDead());
        produce(queue, "a");
        LeasedItem lapsed = leaseOne(queue);
        produce(queue, "b", "c", "d", "e");
        outlive(LEASE);
        await(() -> stored(queue).stream().noneMatch(StoredItem::isLeased));

        List<StoredItem> after = queue.admin().list(ItemListing.of(0).from(lapsed.id()));
        assertThat(texts(after)).containsExactly("b", "c", "d", "e", "a");
        StoredItem item = after.get(4);
        assertThat(item.id()).isGreaterThan(lapsed.id());
        assertThat(item.attempts()).isEqualTo(1);
        assertThat(item.leaseDeadline()).isNull();
    }

    @Test
    void the_id_of_a_lease_that_has_ended_is_dead() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId old = lapse(queue).id();
        ItemId ready = id(awaitReady(queue));

        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> queue.complete(0, List.of(old)));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> queue.retry(0, List.of(RetryItem.now(old))));
        assertFails(
                QueueErrorCode.NOT_LEASED,
                "item(s) cannot be completed; '" + ready + "' is not marked as leased",
                () -> queue.complete(0, List.of(ready)));

        LeasedItem again = leaseOne(queue);
        assertThat(again.id()).isEqualTo(ready);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> queue.complete(0, List.of(old)));
        queue.complete(0, List.of(again.id()));
    }

    @Test
    void an_item_whose_lease_ended_can_be_leased_again_and_completed() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        ItemId old = lapse(queue).id();
        produce(queue, "b", "c", "d", "e");
        await(() -> stored(queue).stream().noneMatch(StoredItem::isLeased));

        LeasedBatch batch = lease(queue, 5);
        assertThat(texts(batch)).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
        assertThat(batch.ids()).doesNotContain(old);
        assertThat(stored(queue)).allSatisfy(item -> {
            assertThat(item.isLeased()).isTrue();
            assertThat(item.expireDeadline()).isAfter(now());
        });
        queue.complete(batch);
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void an_item_whose_lease_ended_keeps_all_else() {
        ItemQueue queue = newQueue();
        queue.admin().importItems(0, List.of(sourced("source-1")));
        leaseOne(queue);
        StoredItem before = onlyStored(queue);
        outlive(LEASE);
        assertThat(awaitReady(queue))
                .usingRecursiveComparison()
                .ignoringFields("id", "isLeased", "leaseDeadline")
                .isEqualTo(before);
    }

    private static StoredItem sourced(String sourceId) {
        return new StoredItem(null, sourceId, false, null, null, null, null, 3, 0, "r", "e", "k", new byte[] {7});
    }

    @Test
    void attempts_are_counted_from_lease_to_lease() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        assertThat(onlyStored(queue).attempts()).isZero();
        ItemId first = lapse(queue).id();
        StoredItem between = awaitReady(queue);
        assertThat(between.attempts()).isEqualTo(1);
        assertThat(between.id()).isNotEqualTo(first);
        assertThat(leaseOne(queue).attempts()).isEqualTo(2);
    }

    @Test
    void without_max_attempts_an_item_gets_any_number_of_leases() {
        ItemQueue queue = newQueue(config -> config.maxAttempts(0));
        produce(queue, "a");
        for (int attempt = 1; attempt <= 5; attempt++) {
            assertThat(lapse(queue).attempts()).isEqualTo(attempt);
            assertThat(awaitReady(queue).attempts()).isEqualTo(attempt);
        }
    }

    @Test
    void after_its_last_attempt_an_item_goes_away() {
        ItemQueue queue = newQueue(config -> config.maxAttempts(2).discardDead());
        produce(queue, "a");
        lapse(queue);
        awaitReady(queue);
        lapse(queue);
        awaitEmpty(queue);
        assertThat(scheduled(queue)).isEmpty();
        assertNothingToLease(queue);
    }

    @Test
    void an_item_that_nobody_leases_in_its_time_goes_away() {
        ItemQueue queue = shortLived();
        produce(queue, "a");
        clock().advance(Duration.ofMinutes(15));
        awaitEmpty(queue);
        assertNothingToLease(queue);
    }

    private ItemQueue shortLived() {
        return newQueue(config -> config.leaseTimeout(Duration.ofMinutes(5)).expireTimeout(Duration.ofMinutes(10)));
    }

    @Test
    void only_what_has_had_its_time_goes_away() {
        ItemQueue queue = shortLived();
        produce(queue, "old");
        clock().advance(Duration.ofMinutes(6));
        produce(queue, "young");
        clock().advance(Duration.ofMinutes(5));
        await(() -> texts(stored(queue)).equals(List.of("young")));
        clock().advance(Duration.ofMinutes(6));
        awaitEmpty(queue);
    }

    @Test
    void a_retry_does_not_prolong_the_time_of_an_item() {
        ItemQueue queue = shortLived();
        produce(queue, "a");
        clock().advance(Duration.ofMinutes(4));
        queue.retry(0, List.of(RetryItem.now(leaseOne(queue).id())));
        clock().advance(Duration.ofMinutes(7));
        awaitEmpty(queue);
    }

    @Test
    void an_item_that_is_scheduled_beyond_its_time_goes_away_all_the_same() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.leaseTimeout(Duration.ofMinutes(5))
                .expireTimeout(Duration.ofMinutes(10))
                .deadQueue(dead.name()));
        queue.produce(NewItem.of("a").when(When.after(Duration.ofMinutes(20)).lenient()));
        clock().advance(Duration.ofMinutes(30));
        await(() -> texts(stored(dead)).equals(List.of("a")));
        await(() -> stored(queue).isEmpty() && scheduled(queue).isEmpty());
    }

    @Test
    void an_item_whose_time_is_over_during_a_lease_goes_when_the_lease_ends() {
        ItemQueue queue = shortLived();
        produce(queue, "a");
        clock().advance(Duration.ofMinutes(8));
        LeasedItem item = leaseOne(queue);
        clock().advance(Duration.ofMinutes(4));
        produce(queue, "sign of life");
        assertThat(stored(queue).get(0).id()).isEqualTo(item.id());
        clock().advance(Duration.ofMinutes(2));
        await(() -> texts(stored(queue)).equals(List.of("sign of life")));
    }

    @Test
    void an_item_whose_time_is_over_during_a_lease_can_still_be_completed() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.leaseTimeout(Duration.ofMinutes(5))
                .expireTimeout(Duration.ofMinutes(10))
                .deadQueue(dead.name()));
        produce(queue, "a");
        clock().advance(Duration.ofMinutes(8));
        LeasedBatch batch = lease(queue, 1);
        clock().advance(Duration.ofMinutes(4));
        queue.complete(batch);
        assertThat(stored(queue)).isEmpty();
        assertThat(stored(dead)).isEmpty();
    }

    @Test
    void leases_end_each_at_its_own_time() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b");
        ItemId first = leaseOne(queue).id();
        clock().advance(Duration.ofSeconds(30));
        ItemId second = leaseOne(queue).id();
        clock().advance(Duration.ofSeconds(31));
        await(() -> texts(stored(queue)).equals(List.of("b", "a")));
        assertThat(stored(queue).get(0).id()).isEqualTo(second);
        assertThat(stored(queue).get(1).id()).isGreaterThan(first);
        clock().advance(Duration.ofSeconds(30));
        await(() -> stored(queue).stream().noneMatch(StoredItem::isLeased));
        assertThat(texts(stored(queue))).containsExactly("a", "b");
    }

    @Test
    @Tag("slow")
    void a_lease_ends_on_time_although_nobody_moves_the_clock() {
        ItemQueue queue = newQueue(config -> config.leaseTimeout(Duration.ofMillis(300)));
        produce(queue, "a");
        long start = System.nanoTime();
        leaseOne(queue);
        assertThat(leaseOne(queue).attempts()).isEqualTo(2);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void the_leases_of_a_whole_batch_end_together() {
        ItemQueue queue = newQueue();
        produce(queue, 1000);
        lease(queue, 1000);
        outlive(LEASE);
        await(() -> queue.admin().stats().partitions().get(0).totalLeased() == 0);
        assertThat(texts(lease(queue, 1000))).containsExactlyInAnyOrderElementsOf(texts(1000));
    }
}
