package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An item can become ready later; until then nobody gets it, and from then on it stands at the tail. */
public class ScheduledContract extends QueueContract {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void scheduled_items_become_ready_when_they_are_due() {
        ItemQueue queue = newQueue();
        Produced produced = schedule(queue, MINUTE, 100);
        assertThat(scheduled(queue).stream().map(StoredItem::id)).isEqualTo(produced.ids());
        assertThat(stored(queue)).isEmpty();
        assertNothingToLease(queue);

        clock().advance(Duration.ofMinutes(2));
        await(() -> scheduled(queue).isEmpty());
        assertThat(stored(queue)).hasSize(100);
        LeasedBatch batch = lease(queue, 100);
        assertThat(texts(batch)).isEqualTo(texts(100));
        queue.complete(batch);
        assertThat(stored(queue)).isEmpty();
    }

    private Produced schedule(ItemQueue queue, Duration delay, int count) {
        When due = When.at(now().plus(delay));
        return queue.produce(ProduceRequest.of(
                texts(count).stream().map(text -> NewItem.of(text).when(due)).toList()));
    }

    private static void scheduleOne(ItemQueue queue, String text, Duration delay) {
        queue.produce(NewItem.of(text).when(When.after(delay)));
    }

    @Test
    void a_scheduled_item_shows_when_it_becomes_ready_and_when_it_goes() {
        ItemQueue queue = newQueue(config -> config.expireTimeout(Duration.ofHours(2)));
        queue.produce(NewItem.of("a").reference("r").kind("k").encoding("e").when(When.after(Duration.ofMinutes(30))));
        StoredItem item = scheduled(queue).get(0);
        assertNear(item.enqueueAt(), now().plus(Duration.ofMinutes(30)));
        assertNear(item.expireDeadline(), now().plus(Duration.ofHours(2)));
        assertNear(item.createdAt(), now());
        assertThat(item.isLeased()).isFalse();
        assertThat(item.attempts()).isZero();
        assertThat(List.of(item.reference(), item.kind(), item.encoding())).containsExactly("r", "k", "e");
    }

    @Test
    void items_due_at_the_same_time_come_in_the_order_in_which_they_were_produced() {
        ItemQueue queue = newQueue();
        When due = When.at(now().plus(MINUTE));
        for (String text : texts(10)) {
            queue.produce(NewItem.of(text).when(due));
        }
        clock().advance(Duration.ofMinutes(2));
        await(() -> scheduled(queue).isEmpty());
        assertThat(texts(lease(queue, 10))).isEqualTo(texts(10));
    }

    @Test
    void items_due_at_different_times_become_ready_each_at_its_own() {
        ItemQueue queue = newQueue();
        scheduleOne(queue, "third", Duration.ofMinutes(30));
        scheduleOne(queue, "first", Duration.ofMinutes(10));
        scheduleOne(queue, "second", Duration.ofMinutes(20));
        assertThat(texts(scheduled(queue))).containsExactly("third", "first", "second");

        clock().advance(Duration.ofMinutes(11));
        await(() -> texts(stored(queue)).equals(List.of("first")));
        clock().advance(Duration.ofMinutes(10));
        await(() -> texts(stored(queue)).equals(List.of("first", "second")));
        clock().advance(Duration.ofMinutes(10));
        await(() -> texts(stored(queue)).equals(List.of("first", "second", "third")));
        assertThat(scheduled(queue)).isEmpty();
    }

    @Test
    void nothing_is_ready_before_its_time() {
        ItemQueue queue = newQueue();
        scheduleOne(queue, "early", MINUTE);
        scheduleOne(queue, "late", Duration.ofMinutes(3));
        clock().advance(Duration.ofMinutes(2));
        assertThat(texts(lease(queue, 10))).containsExactly("early");
        assertThat(texts(scheduled(queue))).containsExactly("late");
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600_000, -60_000, 0, 50})
    void what_is_due_in_the_past_or_almost_now_is_ready_at_once(long ms) {
        ItemQueue queue = newQueue();
        queue.produce(NewItem.of("at").when(When.at(now().plusMillis(ms))));
        queue.produce(NewItem.of("after").when(When.after(Duration.ofMillis(ms))));
        assertThat(scheduled(queue)).isEmpty();
        assertThat(texts(stored(queue))).containsExactly("at", "after");
        assertThat(stored(queue))
                .allSatisfy(item -> assertThat(item.enqueueAt()).isNull());
        assertThat(texts(lease(queue, 2))).containsExactly("at", "after");
    }

    @Test
    void an_item_that_becomes_ready_gets_a_new_id_at_the_tail() {
        ItemQueue queue = newQueue();
        ItemId old = schedule(queue, MINUTE, 1).ids().get(0);
        ItemId ready = produce(queue, "ready").ids().get(0);
        clock().advance(Duration.ofMinutes(2));
        await(() -> scheduled(queue).isEmpty());

        LeasedBatch batch = lease(queue, 2);
        assertThat(texts(batch)).containsExactly("ready", "0000");
        assertThat(batch.ids().get(0)).isEqualTo(ready);
        assertThat(batch.ids().get(1)).isGreaterThan(ready).isNotEqualTo(old);
        assertThat(batch.items().get(1).attempts()).isEqualTo(1);
    }

    @Test
    void one_produce_can_hold_items_that_are_ready_and_items_that_are_not() {
        ItemQueue queue = newQueue();
        Produced produced =
                queue.produce(NewItem.of("now"), NewItem.of("later").when(When.after(MINUTE)), NewItem.of("now too"));
        assertThat(produced.ids()).hasSize(3);
        assertThat(texts(stored(queue))).containsExactly("now", "now too");
        assertThat(texts(scheduled(queue))).containsExactly("later");
        assertThat(scheduled(queue).get(0).id()).isEqualTo(produced.ids().get(1));
    }

    @Test
    void a_lease_that_waits_is_answered_when_an_item_becomes_ready() {
        ItemQueue queue = newQueue();
        scheduleOne(queue, "a", MINUTE);
        var waiting = park(queue, 1);
        clock().advance(Duration.ofMinutes(2));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    @Tag("slow")
    void an_item_is_ready_on_time_although_nobody_moves_the_clock() {
        ItemQueue queue = newQueue();
        long start = System.nanoTime();
        var waiting = park(queue, 1);
        scheduleOne(queue, "a", Duration.ofMillis(400));
        assertThat(texts(soon(waiting))).containsExactly("a");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }

    @Test
    void scheduled_items_are_listed_page_by_page() {
        ItemQueue queue = newQueue();
        List<ItemId> ids = schedule(queue, MINUTE, 50).ids();
        assertThat(page(queue, ItemListing.of(0).limit(20))).isEqualTo(ids.subList(0, 20));
        assertThat(page(queue, ItemListing.of(0).limit(20).from(ids.get(19)))).isEqualTo(ids.subList(19, 39));
        assertThat(page(queue, ItemListing.of(0).limit(20).from(ids.get(38)))).isEqualTo(ids.subList(38, 50));
        assertThat(page(queue, ItemListing.of(0).from(new ItemId("0".repeat(27)))))
                .isEqualTo(ids);
    }

    private static List<ItemId> page(ItemQueue queue, ItemListing listing) {
        return queue.admin().listScheduled(listing).stream()
                .map(QueueContract::id)
                .toList();
    }

    @Test
    void a_scheduled_item_can_be_deleted() {
        ItemQueue queue = newQueue();
        List<ItemId> ids = schedule(queue, MINUTE, 3).ids();
        queue.admin().delete(0, List.of(ids.get(1)));
        assertThat(texts(scheduled(queue))).containsExactly("0000", "0002");
    }

    @Test
    void many_that_are_due_at_once_all_become_ready() {
        ItemQueue queue = newQueue();
        IntStream.range(0, 3).forEach(i -> schedule(queue, MINUTE, 1000));
        clock().advance(Duration.ofMinutes(2));
        await(() -> queue.admin().stats().partitions().get(0).scheduled() == 0);
        assertThat(queue.admin().list(ItemListing.of(0).limit(10_000))).hasSize(3000);
    }
}
