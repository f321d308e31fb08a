package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What another system did by halves, twice or to the wrong item is done here whole, once and to the right one. */
public class KnownMixupsContract extends QueueContract {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void scheduled_items_get_a_new_id_at_the_tail() {
        ItemQueue queue = newQueue();
        Produced produced = queue.produce(NewItem.of("scheduled").when(When.after(MINUTE)));
        ItemId old = produced.ids().get(0);
        produce(queue, "ready");
        outlive(MINUTE);
        await(() -> texts(stored(queue)).equals(List.of("ready", "scheduled")));
        LeasedBatch batch = lease(queue, 2);
        assertThat(batch.ids()).doesNotContain(old);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old), () -> queue.complete(0, List.of(old)));
    }

    @Test
    void lease_expiry_keeps_the_source_id() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()));
        produce(queue, "a");
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        Optional<String> source = Optional.ofNullable(onlyStored(dead).sourceId());
        lapse(dead);
        assertThat(Optional.ofNullable(awaitReady(dead).sourceId())).isPresent().isEqualTo(source);
    }

    @Test
    void complete_is_atomic() {
        ItemQueue queue = newQueue();
        produce(queue, 10);
        List<ItemId> ids = lease(queue, 10).ids();
        List<ItemId> withOneWrong = new ArrayList<>(ids);
        withOneWrong.add(UNKNOWN);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> queue.complete(0, withOneWrong));
        assertThat(stored(queue)).hasSize(10);
        queue.complete(0, ids);
    }

    @Test
    void deleted_queues_do_not_keep_their_items() {
        ItemQueue queue = newQueue();
        produce(queue, "ready", "leased");
        queue.produce(NewItem.of("scheduled").when(When.after(MINUTE)));
        leaseOne(queue);
        queues().delete(queue.name());
        queues().create(QueueConfig.named(queue.name()));
        outlive(LEASE);
        assertThat(stored(queue)).isEmpty();
        assertThat(scheduled(queue)).isEmpty();
        assertNothingToLease(queue);
    }

    @Test
    void a_dead_queue_that_is_in_use_cannot_be_deleted() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()));
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "queue is in use; '" + dead.name() + "' is the dead_queue of '" + queue.name()
                        + "', change or delete that one first",
                () -> queues().delete(dead.name()));
        produce(queue, "a");
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        assertThat(texts(stored(dead))).containsExactly("a");
    }

    @Test
    void ids_do_not_depend_on_the_clock() {
        ItemQueue queue = newQueue();
        List<ItemId> ids = new ArrayList<>(produce(queue, "first").ids());
        clock().advance(Duration.ofHours(-2));
        ids.addAll(produce(anotherNode().queue(queue.name()), "second").ids());
        ids.addAll(produce(queue, "third").ids());
        assertThat(ids).isSorted();
        assertThat(texts(lease(queue, 10))).containsExactly("first", "second", "third");
    }

    @Test
    void two_nodes_do_not_double_items_whose_lease_ended() {
        ItemQueue queue = newQueue();
        ItemQueue there = anotherNode().queue(queue.name());
        produce(queue, 100);
        for (int round = 1; round <= 5; round++) {
            assertThat(lease(there, 100).items()).hasSize(100);
            outlive(LEASE);
            await(() -> queue.admin().stats().partitions().get(0).totalLeased() == 0);
            assertThat(texts(stored(queue))).containsExactlyInAnyOrderElementsOf(texts(100));
        }
    }

    @Test
    void a_queue_always_has_a_partition() {
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "partitions is invalid; cannot be less than 1",
                () -> QueueConfig.named(unique("none")).partitions(0));
        assertThat(newQueue().admin().stats().partitions()).hasSize(1);
    }

    @Test
    void many_partitions_cost_no_more_than_they_are() {
        ItemQueue queue = newQueue(config -> config.partitions(64));
        for (String text : texts(64)) {
            produce(queue, text);
        }
        assertThat(queue.admin().stats().partitions())
                .hasSize(64)
                .allSatisfy(one -> assertThat(one.total()).isEqualTo(1));
    }

    @Test
    void leases_of_those_who_left_are_not_filled() {
        ItemQueue queue = newQueue();
        assertThat(queue.lease(request(1).timeout(BRIEFLY)).isEmpty()).isTrue();
        park(queue, 1).cancel(true);
        awaitWaiting(queue, 0);
        produce(queue, "a");
        assertThat(onlyStored(queue).isLeased()).isFalse();
        assertThat(leaseOne(queue).attempts()).isEqualTo(1);
    }
}
