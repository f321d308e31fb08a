package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.ItemStore.Retried;
import dev.leasehold.queue.spi.ItemStore.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items that come back: retried, swept, buried. */
class MemoryQueueRedeliveryTest extends QueueStoreTests {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private Swept sweep() {
        return items.sweep(queue, dead).join();
    }

    private Retried retry(RetryItem... retries) {
        return items.retry(queue, dead, List.of(retries)).join();
    }

    @Test
    void a_retried_item_stands_at_the_tail_under_a_new_id() {
        List<ItemId> ids = produce("a", "b", "c");
        StoredItem before = list(queue).get(0);
        ItemId old = leaseOne();
        advance(SECOND);
        assertThat(retry(RetryItem.now(old), RetryItem.dead(old)))
                .isEqualTo(new Retried(1, 0, Discarded.NOTHING, null));

        assertThat(texts(list(queue))).containsExactly("b", "c", "a");
        StoredItem after = list(queue).get(2);
        assertThat(after.id()).isGreaterThan(ids.get(2));
        assertThat(after.attempts()).isEqualTo(1);
        assertThat(after.isLeased()).isFalse();
        assertThat(after.createdAt()).isEqualTo(before.createdAt());
        assertThat(after.expireDeadline()).isEqualTo(before.expireDeadline());
        assertUnknown(items.complete(queue, List.of(old)), old);
        assertThat(lease(3)).extracting(LeasedItem::attempts).containsExactly(1, 1, 2);
    }

    @Test
    void several_are_retried_in_the_order_of_the_request() {
        List<ItemId> ids = produce("a", "b", "c");
        lease(3);
        retry(RetryItem.now(ids.get(2)), RetryItem.now(ids.get(0)));
        assertThat(texts(list(queue))).containsExactly("b", "c", "a");
    }

    @Test
    void an_item_retried_later_is_scheduled_with_its_id_until_it_is_due() {
        produce("a", "b");
        ItemId id = leaseOne();
        ItemId other = leaseOne();
        Retried retried =
                retry(RetryItem.at(other, When.after(LEASE)), RetryItem.at(id, When.at(now().plusMillis(100))));
        assertThat(retried).isEqualTo(new Retried(0, 0, Discarded.NOTHING, Duration.ofMillis(100)));
        assertThat(ids(scheduled())).containsExactly(id, other);
        assertThat(scheduled().get(0).isLeased()).isFalse();
        assertThat(scheduled().get(0).leaseDeadline()).isNull();
        assertThat(scheduled().get(0).attempts()).isEqualTo(1);
        assertUnknown(items.complete(queue, List.of(id)), id);

        advance(Duration.ofMillis(100));
        assertThat(sweep().ready()).isEqualTo(1);
        assertThat(ids(list(queue))).hasSize(1).doesNotContain(id);
        assertThat(lease(1)).extracting(LeasedItem::attempts).containsExactly(2);
    }

    @Test
    void a_retry_less_than_100_ms_ahead_is_now() {
        produce("a");
        assertThat(retry(RetryItem.at(leaseOne(), When.at(now().plusMillis(99)))))
                .isEqualTo(new Retried(1, 0, Discarded.NOTHING, null));
        assertThat(retry(RetryItem.at(leaseOne(), When.at(Instant.EPOCH))).dead())
                .as("but it was the last")
                .isEqualTo(1);
    }

    @Test
    void a_dead_letter_begins_anew_in_the_dead_queue_and_knows_where_it_came_from() {
        items.produce(queue, List.of(new NewItem(new byte[] {1, 2}, "enc", "kind", "ref", When.now())))
                .join();
        ItemId id = leaseOne();
        advance(SECOND);
        assertThat(retry(RetryItem.dead(id))).isEqualTo(new Retried(0, 1, Discarded.NOTHING, null));
        assertThat(list(queue)).isEmpty();

        StoredItem letter = list(dead).get(0);
        assertThat(letter.sourceId()).isEqualTo(id.value());
        assertThat(letter.id()).isNotEqualTo(id);
        assertThat(letter.attempts()).isZero();
        assertThat(letter.isLeased()).isFalse();
        assertThat(letter.createdAt()).isEqualTo(now());
        assertThat(letter.expireDeadline()).isEqualTo(now().plus(Duration.ofDays(7)));
        assertThat(List.of(letter.encoding(), letter.kind(), letter.reference()))
                .containsExactly("enc", "kind", "ref");
        assertThat(letter.payload()).containsExactly(1, 2);
    }

    @Test
    void a_dead_letter_that_is_there_is_not_taken_twice() {
        produce("a");
        ItemId id = leaseOne();
        StoredItem copy =
                new StoredItem(null, id.value(), false, null, null, null, null, 0, 0, "", "", "", new byte[0]);
        items.importItems(dead, List.of(copy)).join();
        assertThat(retry(RetryItem.dead(id))).isEqualTo(new Retried(0, 0, Discarded.duplicates(1), null));
        assertThat(list(queue)).isEmpty();
        assertThat(list(dead)).hasSize(1);
    }

    @Test
    void without_a_dead_queue_the_dead_are_gone() {
        queue = create(QueueConfig.named("without").leaseTimeout(LEASE).expireTimeout(EXPIRE))
                .partition(0);
        produce("a", "b");
        assertThat(items.retry(queue, null, List.of(RetryItem.dead(leaseOne()))).join())
                .isEqualTo(new Retried(0, 0, new Discarded(0, 0, 1), null));
        advance(EXPIRE.plus(MS));
        assertThat(items.sweep(queue, null).join()).isEqualTo(new Swept(0, 0, new Discarded(1, 0, 0), null));
        assertThat(list(queue)).isEmpty();
        assertThat(list(dead)).isEmpty();
    }

    @Test
    void with_a_dead_queue_that_is_missing_the_dead_stay_and_the_others_go_on() {
        produce("dead", "live");
        ItemId first = leaseOne();
        ItemId second = leaseOne();
        assertThat(items.retry(queue, null, List.of(RetryItem.dead(first), RetryItem.now(second)))
                        .join())
                .isEqualTo(new Retried(1, 0, Discarded.NOTHING, null));
        assertThat(texts(list(queue))).containsExactly("dead", "live");
        assertThat(list(queue)).extracting(StoredItem::isLeased).containsExactly(true, false);
        advance(EXPIRE.plus(MS));
        produce("young");
        leaseOne();
        advance(LEASE.plus(MS));
        assertThat(items.sweep(queue, null).join()).isEqualTo(new Swept(1, 0, Discarded.NOTHING, Duration.ZERO));
        assertThat(items.sweep(queue, null).join()).isEqualTo(new Swept(0, 0, Discarded.NOTHING, SECOND));
        assertThat(texts(list(queue))).containsExactly("dead", "live", "young");
        assertThat(leasedTexts(lease(9))).containsExactly("young");
        assertThat(items.sweep(queue, dead).join().dead()).isEqualTo(2);
        assertThat(texts(list(dead))).containsExactly("dead", "live");
    }

    @Test
    void who_has_had_its_attempts_gets_no_other_now_or_later() {
        produce("a", "b");
        lease(2).forEach(item -> retry(RetryItem.now(item.id())));
        List<LeasedItem> last = lease(2);
        Retried retried =
                retry(RetryItem.now(last.get(0).id()), RetryItem.at(last.get(1).id(), When.after(LEASE)));
        assertThat(retried).isEqualTo(new Retried(0, 2, Discarded.NOTHING, null));
        assertThat(texts(list(dead))).containsExactly("a", "b");
    }

    @Test
    void a_lease_that_has_ended_is_swept_to_the_tail() {
        produce("a", "b");
        ItemId id = leaseOne();
        advance(LEASE);
        assertThat(sweep()).as("on the deadline it has not").isEqualTo(new Swept(0, 0, Discarded.NOTHING, MS));
        advance(MS);
        Swept swept = sweep();
        assertThat(swept.ready()).isEqualTo(1);
        assertThat(swept.dead()).isZero();
        assertThat(swept.nextDue()).isEqualTo(EXPIRE.minus(LEASE).minus(MS));
        assertThat(texts(list(queue))).containsExactly("b", "a");
        assertThat(list(queue)).extracting(StoredItem::attempts).containsExactly(0, 1);
        assertUnknown(items.complete(queue, List.of(id)), id);
    }

    @Test
    void leases_are_swept_in_the_order_of_their_deadlines() {
        List<ItemId> ids = produce("a", "b", "c", "d");
        lease(4);
        items.extend(queue, List.of(ids.get(0)), Duration.ofSeconds(3)).join();
        items.extend(queue, List.of(ids.get(1), ids.get(3)), SECOND).join();
        items.extend(queue, List.of(ids.get(2)), Duration.ofSeconds(2)).join();
        advance(LEASE);
        assertThat(sweep().ready()).isEqualTo(4);
        assertThat(texts(list(queue))).containsExactly("b", "d", "c", "a");
    }

    @Test
    void a_lease_that_ended_with_the_last_attempt_or_after_the_item_goes_to_the_dead_queue() {
        produce("last");
        advance(SECOND);
        retry(RetryItem.now(leaseOne()));
        ItemId last = leaseOne();
        produce("late");
        advance(LEASE.plus(MS));
        assertThat(sweep().dead()).isEqualTo(1);
        advance(EXPIRE.minus(LEASE.multipliedBy(2)));
        ItemId late = leaseOne();
        advance(LEASE.plus(MS));
        assertThat(sweep()).isEqualTo(new Swept(0, 1, Discarded.NOTHING, null));
        assertThat(list(dead)).extracting(StoredItem::sourceId).containsExactly(last.value(), late.value());
        assertThat(texts(list(dead))).containsExactly("last", "late");
    }

    @Test
    void a_running_lease_is_never_taken_away() {
        produce("a");
        retry(RetryItem.now(leaseOne()));
        advance(EXPIRE.minus(SECOND));
        ItemId id = leaseOne();
        advance(Duration.ofSeconds(2));
        assertThat(sweep()).isEqualTo(new Swept(0, 0, Discarded.NOTHING, LEASE.minusSeconds(2)));
        assertThat(items.complete(queue, List.of(id))).isCompleted();
    }

    @Test
    void a_ready_item_is_swept_when_its_time_is_over() {
        produce("a");
        advance(EXPIRE);
        assertThat(sweep()).isEqualTo(new Swept(0, 0, Discarded.NOTHING, MS));
        advance(MS);
        assertThat(sweep()).isEqualTo(new Swept(0, 1, Discarded.NOTHING, null));
        assertThat(texts(list(dead))).containsExactly("a");
    }

    @Test
    void scheduled_items_are_swept_to_the_tail_on_time_in_the_order_in_which_they_are_due() {
        List<ItemId> ids = items.produce(
                        queue,
                        List.of(
                                NewItem.of("in 3 s").when(When.after(Duration.ofSeconds(3))),
                                NewItem.of("in 1 s").when(When.after(SECOND)),
                                NewItem.of("also in 1 s").when(When.after(SECOND)),
                                NewItem.of("now")))
                .join();
        advance(SECOND.minus(MS));
        assertThat(sweep()).isEqualTo(new Swept(0, 0, Discarded.NOTHING, MS));
        advance(MS);
        assertThat(sweep()).isEqualTo(new Swept(2, 0, Discarded.NOTHING, Duration.ofSeconds(2)));
        advance(Duration.ofSeconds(9));
        assertThat(sweep().ready()).isEqualTo(1);
        assertThat(texts(list(queue))).containsExactly("now", "in 1 s", "also in 1 s", "in 3 s");
        assertThat(ids(list(queue))).isSorted().doesNotContainAnyElementsOf(ids.subList(0, 3));
    }

    @Test
    void a_scheduled_item_whose_time_is_over_becomes_ready_first_and_is_never_leased() {
        items.produce(
                        queue,
                        List.of(NewItem.of("late")
                                .when(When.after(EXPIRE.plus(SECOND)).lenient())))
                .join();
        advance(EXPIRE.plus(MS));
        assertThat(sweep().dead()).isZero();
        advance(SECOND);
        assertThat(sweep()).isEqualTo(new Swept(1, 0, Discarded.NOTHING, Duration.ZERO));
        assertThat(lease(1)).isEmpty();
        assertThat(sweep()).isEqualTo(new Swept(0, 1, Discarded.NOTHING, null));
    }

    @Test
    void a_sweep_takes_so_many_and_says_that_there_is_more() {
        int more = Redelivery.SWEEP_LIMIT + 1;
        produce(IntStream.range(0, more).mapToObj(Integer::toString).toArray(String[]::new));
        lease(more);
        advance(LEASE.plus(MS));
        assertThat(sweep()).isEqualTo(new Swept(Redelivery.SWEEP_LIMIT, 0, Discarded.NOTHING, Duration.ZERO));
        assertThat(sweep().ready()).isEqualTo(1);
        assertThat(texts(list(queue)))
                .containsExactlyElementsOf(
                        IntStream.range(0, more).mapToObj(Integer::toString).toList());
    }

    @Test
    void the_next_deadline_is_the_earliest_of_all() {
        assertThat(sweep()).isEqualTo(new Swept(0, 0, Discarded.NOTHING, null));
        produce("a");
        assertThat(sweep().nextDue()).isEqualTo(EXPIRE);
        items.produce(queue, List.of(NewItem.of("s").when(When.after(Duration.ofMinutes(2)))))
                .join();
        assertThat(sweep().nextDue()).isEqualTo(Duration.ofMinutes(2));
        leaseOne();
        assertThat(sweep().nextDue()).isEqualTo(LEASE);
    }
}
