package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Items that ran out of attempts or time go to the dead queue, once, with all that they carry. */
public class DeadQueueContract extends QueueContract {
    private static final NewItem FULL = NewItem.of("the payload")
            .reference("rainbow@dash.com")
            .encoding("friendship")
            .kind("yes");

    private ItemQueue dead;
    private ItemQueue queue;

    @BeforeEach
    final void createQueues() {
        dead = newQueue(config -> config.expireTimeout(Duration.ofHours(5)).partitions(2));
        queue = newQueue(config ->
                config.maxAttempts(2).expireTimeout(Duration.ofHours(1)).deadQueue(dead.name()));
    }

    @Test
    void after_its_last_attempt_an_item_is_in_the_dead_queue() {
        queue.produce(FULL);
        lapse(queue);
        awaitReady(queue);
        LeasedItem last = lapse(queue);
        assertThat(last.attempts()).isEqualTo(2);
        assertDeadLetter(last.id());
    }

    @Test
    void an_item_that_nobody_leases_in_its_time_is_in_the_dead_queue() {
        ItemId id = queue.produce(FULL).ids().get(0);
        outlive(Duration.ofHours(1));
        assertDeadLetter(id);
    }

    @Test
    void an_item_whose_time_is_over_when_its_lease_ends_is_in_the_dead_queue() {
        queue.produce(FULL);
        clock().advance(Duration.ofMinutes(59).plusSeconds(30));
        assertDeadLetter(lapse(queue).id());
    }

    @Test
    void an_item_that_was_retried_too_often_is_in_the_dead_queue() {
        queue.produce(FULL);
        queue.retry(0, List.of(RetryItem.now(leaseOne(queue).id())));
        ItemId last = leaseOne(queue).id();
        queue.retry(0, List.of(RetryItem.now(last)));
        assertDeadLetter(last);
    }

    @Test
    void an_item_that_is_not_to_be_retried_is_in_the_dead_queue() {
        queue.produce(FULL);
        ItemId id = leaseOne(queue).id();
        queue.retry(0, List.of(RetryItem.dead(id)));
        assertDeadLetter(id);
    }

    @Test
    void an_item_that_was_scheduled_first_ends_in_the_dead_queue_as_any_other() {
        queue.produce(FULL.when(When.after(Duration.ofMinutes(1))));
        clock().advance(Duration.ofMinutes(2));
        lapse(queue);
        awaitReady(queue);
        assertDeadLetter(lapse(queue).id());
    }

    /** The item is gone from the queue, and in the dead queue as if it were new. */
    private void assertDeadLetter(ItemId source) {
        await(() -> stored(dead).size() == 1);
        StoredItem letter = onlyStored(dead);
        assertThat(letter.sourceId()).isEqualTo(source.value());
        assertThat(letter.id()).isNotEqualTo(source);
        assertThat(letter.attempts()).isZero();
        assertThat(letter.isLeased()).isFalse();
        assertThat(letter.leaseDeadline()).isNull();
        assertThat(letter.enqueueAt()).isNull();
        assertNear(letter.createdAt(), now());
        assertNear(letter.expireDeadline(), now().plus(Duration.ofHours(5)));
        assertThat(letter.payload()).isEqualTo(FULL.payload());
        assertThat(List.of(letter.reference(), letter.encoding(), letter.kind()))
                .containsExactly(FULL.reference(), FULL.encoding(), FULL.kind());
        assertThat(stored(queue)).isEmpty();
        assertThat(scheduled(queue)).isEmpty();
    }

    @Test
    void dead_letters_of_all_partitions_go_to_the_first_of_the_dead_queue() {
        ItemQueue wide = newQueue(config -> config.partitions(3).maxAttempts(1).deadQueue(dead.name()));
        produce(wide, "a");
        produce(wide, "b");
        produce(wide, "c");
        for (int i = 0; i < 3; i++) {
            leaseOne(wide);
        }
        outlive(LEASE);
        await(() -> stored(dead).size() == 3);
        assertThat(texts(stored(dead))).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(stored(dead, 1)).isEmpty();
    }

    @Test
    void a_dead_letter_can_be_leased_and_completed() {
        queue.produce(FULL);
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        LeasedBatch batch = lease(dead, 10);
        assertThat(texts(batch)).containsExactly("the payload");
        assertThat(batch.items().get(0).attempts()).isEqualTo(1);
        dead.complete(batch);
        assertThat(stored(dead)).isEmpty();
    }

    @Test
    void a_dead_letter_that_nobody_takes_goes_away_in_its_time() {
        queue.produce(FULL);
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        assertThat(stored(dead)).hasSize(1);
        outlive(Duration.ofHours(5));
        awaitEmpty(dead);
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void several_queues_can_have_the_same_dead_queue() {
        ItemQueue other = newQueue(config -> config.deadQueue(dead.name()));
        produce(queue, "one");
        produce(other, "two");
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        other.retry(0, List.of(RetryItem.dead(leaseOne(other).id())));
        assertThat(texts(stored(dead))).containsExactly("one", "two");
    }

    @Test
    void a_lease_that_waits_at_the_dead_queue_is_answered_by_a_dead_letter() {
        var waiting = park(dead, 1);
        queue.produce(FULL);
        lapse(queue);
        awaitReady(queue);
        lapse(queue);
        assertThat(texts(soon(waiting))).containsExactly("the payload");
    }

    @Test
    void many_items_that_die_together_all_arrive() {
        produce(queue, 1000);
        outlive(Duration.ofHours(1));
        await(() -> stored(queue).isEmpty() && stored(dead).size() == 1000);
        assertThat(texts(stored(dead))).containsExactlyInAnyOrderElementsOf(texts(1000));
        assertThat(stored(dead).stream().map(StoredItem::sourceId)).doesNotHaveDuplicates();
    }
}
