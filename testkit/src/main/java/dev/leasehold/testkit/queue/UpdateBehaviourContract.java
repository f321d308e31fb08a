package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an update changes for items and leases that are there already, and what only for new ones. */
public class UpdateBehaviourContract extends QueueContract {
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    @Test
    void fewer_attempts_count_for_items_that_are_there() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(5).deadQueue(dead.name()));
        produce(queue, "a");
        leaseOne(queue);
        update(queue, config -> config.maxAttempts(2));

        outlive(LEASE);
        assertThat(awaitReady(queue).attempts()).isEqualTo(1);
        assertThat(lapse(queue).attempts()).isEqualTo(2);
        await(() -> stored(dead).size() == 1);
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void more_attempts_count_for_items_that_are_there() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(2).deadQueue(dead.name()));
        produce(queue, "a");
        lapse(queue);
        awaitReady(queue);
        leaseOne(queue);
        update(queue, config -> config.maxAttempts(5));

        outlive(LEASE);
        assertThat(awaitReady(queue).attempts()).isEqualTo(2);
        assertThat(leaseOne(queue).attempts()).isEqualTo(3);
        assertThat(stored(dead)).isEmpty();
    }

    @Test
    void any_number_of_attempts_counts_for_items_that_are_there() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(2).deadQueue(dead.name()));
        produce(queue, "a");
        lapse(queue);
        awaitReady(queue);
        update(queue, config -> config.maxAttempts(0));
        for (int attempt = 2; attempt <= 6; attempt++) {
            assertThat(lapse(queue).attempts()).isEqualTo(attempt);
            awaitReady(queue);
        }
        assertThat(stored(dead)).isEmpty();
    }

    @Test
    void new_leases_take_the_new_lease_timeout() {
        ItemQueue queue = newQueue(config -> config.leaseTimeout(FIVE_MINUTES));
        update(queue, config -> config.leaseTimeout(LEASE));
        produce(queue, "a");
        assertNear(leaseOne(queue).leaseDeadline(), now().plus(LEASE));
        clock().advance(Duration.ofMinutes(2));
        assertThat(awaitReady(queue).attempts()).isEqualTo(1);
    }

    @Test
    void leases_keep_the_deadline_that_they_have() {
        ItemQueue queue = newQueue(config -> config.leaseTimeout(FIVE_MINUTES));
        produce(queue, "a", "b");
        LeasedItem kept = leaseOne(queue);
        update(queue, config -> config.leaseTimeout(LEASE));
        leaseOne(queue);

        clock().advance(Duration.ofMinutes(2));
        await(() -> stored(queue).stream().anyMatch(item -> !item.isLeased()));
        assertThat(stored(queue).get(0).id()).isEqualTo(kept.id());
        assertThat(stored(queue).get(0).isLeased()).isTrue();
        clock().advance(Duration.ofMinutes(4));
        await(() -> stored(queue).stream().noneMatch(StoredItem::isLeased));
        assertThat(texts(stored(queue))).containsExactly("b", "a");
    }

    @Test
    void new_items_take_the_new_expire_timeout_and_old_ones_keep_theirs() {
        ItemQueue queue = newQueue(config -> config.expireTimeout(Duration.ofMinutes(10)));
        produce(queue, "old");
        StoredItem before = onlyStored(queue);
        update(queue, config -> config.expireTimeout(Duration.ofMinutes(2)));
        produce(queue, "new");

        assertThat(stored(queue).get(0)).usingRecursiveComparison().isEqualTo(before);
        assertNear(stored(queue).get(1).expireDeadline(), now().plus(Duration.ofMinutes(2)));
        clock().advance(Duration.ofMinutes(3));
        await(() -> texts(stored(queue)).equals(List.of("old")));
    }

    @Test
    void a_dead_queue_that_was_given_later_receives_what_dies() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(1).discardDead());
        produce(queue, "a");
        leaseOne(queue);
        update(queue, config -> config.deadQueue(dead.name()));
        outlive(LEASE);
        await(() -> texts(stored(dead)).equals(List.of("a")));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void another_dead_queue_receives_what_dies_from_then_on() {
        ItemQueue first = newQueue();
        ItemQueue second = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(1).deadQueue(first.name()));
        produce(queue, "a");
        lapse(queue);
        await(() -> texts(stored(first)).equals(List.of("a")));
        update(queue, config -> config.deadQueue(second.name()));
        produce(queue, "b");
        lapse(queue);
        await(() -> texts(stored(second)).equals(List.of("b")));
        assertThat(texts(stored(first))).containsExactly("a");
    }

    @Test
    void without_its_dead_queue_what_dies_goes_away() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(1).deadQueue(dead.name()));
        produce(queue, "a");
        update(queue, config -> config.deadQueue(""));
        lapse(queue);
        awaitEmpty(queue);
        assertThat(stored(dead)).isEmpty();
    }

    @Test
    void more_partitions_are_used_at_once() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        update(queue, config -> config.partitions(3));
        assertThat(produce(queue, "b").partition()).isEqualTo(1);
        assertThat(produce(queue, "c").partition()).isEqualTo(2);
        assertThat(queue.admin().stats().partitions()).hasSize(3);
        assertThat(List.of(
                        leaseOne(queue).text(),
                        leaseOne(queue).text(),
                        leaseOne(queue).text()))
                .containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void partitions_that_were_taken_away_are_emptied_and_get_nothing_new() {
        ItemQueue queue = newQueue(config -> config.partitions(3));
        produce(queue, "a");
        produce(queue, "b");
        produce(queue, "c");
        update(queue, config -> config.partitions(1));
        for (int i = 0; i < 5; i++) {
            assertThat(produce(queue, "more").partition()).isZero();
        }
        assertThat(texts(lease(queue, 10))).startsWith("a").hasSize(6);
        assertThat(List.of(leaseOne(queue).text(), leaseOne(queue).text())).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void leases_from_partitions_that_were_taken_away_are_completed_there() {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        produce(queue, "a");
        produce(queue, "b");
        var first = lease(queue, 1);
        var second = lease(queue, 1);
        update(queue, config -> config.partitions(1));
        queue.complete(first);
        queue.complete(second);
        assertNothingToLease(queue);
    }

    @Test
    void leases_that_wait_go_on_waiting_through_an_update() {
        ItemQueue queue = newQueue();
        var waiting = park(queue, 1);
        update(queue, config -> config.leaseTimeout(FIVE_MINUTES));
        produce(queue, "a");
        assertNear(soon(waiting).items().get(0).leaseDeadline(), now().plus(FIVE_MINUTES));
    }
}
