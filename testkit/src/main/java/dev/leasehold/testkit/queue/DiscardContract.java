package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.queue.DiscardReason;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Nothing is lost unless somebody said so: items do not expire by default, dead ones are kept in a dead queue, and what is
 * discarded all the same is told.
 */
public class DiscardContract extends QueueContract {
    @Test
    void an_item_does_not_expire_unless_an_expire_timeout_was_set() {
        ItemQueue queue = newQueue();
        produce(queue, "kept");
        assertThat(onlyStored(queue).expireDeadline()).isEqualTo(StoredItem.NEVER);
        outlive(Duration.ofDays(40_000));
        assertThat(texts(lease(queue, 1))).containsExactly("kept");
        assertThat(queues().info(queue.name()).config().expires()).isFalse();
    }

    @Test
    void an_expire_timeout_can_be_set_later_and_taken_away_again() {
        ItemQueue queue = newQueue();
        update(queue, config -> config.expireTimeout(Duration.ofHours(1)));
        produce(queue, "short-lived");
        assertNear(onlyStored(queue).expireDeadline(), now().plus(Duration.ofHours(1)));
        update(queue, config -> config.expireTimeout(QueueConfig.NEVER));
        produce(queue, "kept");
        outlive(Duration.ofHours(1));
        await(() -> texts(stored(queue)).equals(List.of("kept")));
    }

    @Test
    void a_queue_with_max_attempts_gets_a_dead_queue_of_its_own() {
        ItemQueue queue = newQueue(config -> config.namespace("space").maxAttempts(1));
        String dead = queue.name() + "-dead";
        assertThat(queues().info(queue.name()).config().deadQueue()).isEqualTo(dead);
        QueueConfig created = queues().info(dead).config();
        assertThat(created.hasDeadQueue()).isFalse();
        assertThat(created.expires()).isFalse();
        assertThat(created.namespace()).isEqualTo("space");
        produce(queue, "hopeless");
        lapse(queue);
        await(() -> texts(stored(queues().queue(dead))).equals(List.of("hopeless")));
        queues().delete(queue.name());
        assertThat(texts(stored(queues().queue(dead)))).containsExactly("hopeless");
    }

    @Test
    void a_dead_queue_that_is_there_already_is_used() {
        String name = unique("queue");
        QueueInfo dead = queues().create(QueueConfig.named(name + "-dead").reference("mine"));
        QueueInfo queue = queues().create(QueueConfig.named(name).maxAttempts(1));
        assertThat(queue.config().deadQueue()).isEqualTo(dead.name());
        assertThat(queues().info(dead.name())).isEqualTo(dead);
    }

    @Test
    void a_queue_that_cannot_be_created_leaves_no_dead_queue() {
        QueueInfo there = queues().create(QueueConfig.named(unique("queue")));
        QueueConfig again = QueueConfig.named(there.name()).maxAttempts(1);
        assertFails(QueueErrorCode.ALREADY_EXISTS, () -> queues().create(again));
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, () -> queues().info(there.name() + "-dead"));
    }

    @Test
    void a_name_that_is_too_long_for_a_dead_queue_of_its_own_is_refused() {
        QueueConfig config = QueueConfig.named(unique("x".repeat(480))).maxAttempts(1);
        QueueException e = assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> queues().create(config));
        assertThat(e).hasMessageContaining("would be greater than '500' characters");
        assertThat(queues().create(config.discardDead()).config().hasDeadQueue())
                .isFalse();
    }

    @Test
    void an_item_that_would_expire_before_it_is_ready_is_refused_with_both_times() {
        ItemQueue queue = newQueue(config -> config.expireTimeout(Duration.ofHours(1)));
        Instant ready = Instant.ofEpochSecond(now().plus(Duration.ofHours(2)).getEpochSecond());
        NewItem late = NewItem.of("late").when(When.at(ready));
        QueueException e =
                assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> queue.produce(NewItem.of("in time"), late));
        assertThat(e)
                .hasMessageStartingWith(
                        "enqueue time is invalid; the item would be ready at " + ready + ", but it expires at ");
        NewItem later = NewItem.of("later").when(When.after(Duration.ofHours(2)));
        assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> queue.produce(later));
        assertThat(stored(queue)).as("all or none").isEmpty();
        assertThat(scheduled(queue)).isEmpty();
    }

    @Test
    void an_item_of_a_queue_without_expiry_may_be_scheduled_for_any_time() {
        ItemQueue queue = newQueue();
        queue.produce(NewItem.of("far").when(When.at(now().plus(Duration.ofDays(200_000)))));
        queue.produce(NewItem.of("farther").when(When.at(StoredItem.NEVER)));
        queue.produce(NewItem.of("farthest").when(When.after(Duration.ofDays(100_000))));
        assertThat(scheduled(queue)).hasSize(3);
    }

    @Test
    void items_that_expire_without_a_dead_queue_are_told_to_the_listener() {
        ItemQueue queue = listened(config -> config.expireTimeout(Duration.ofHours(1)));
        produce(queue, 3);
        outlive(Duration.ofHours(1));
        await(() -> heardOf(queue, DiscardReason.EXPIRED) == 3);
        assertThat(stored(queue)).isEmpty();
        assertOnlyReason(DiscardReason.EXPIRED);
    }

    @Test
    void items_that_run_out_of_attempts_without_a_dead_queue_are_told_to_the_listener() {
        ItemQueue queue = listened(config -> config.maxAttempts(1).discardDead());
        produce(queue, 3);
        lease(queue, 2);
        outlive(LEASE);
        await(() -> heardOf(queue, DiscardReason.ATTEMPTS) == 2);
        queue.retry(0, List.of(RetryItem.now(leaseOne(queue).id())));
        await(() -> heardOf(queue, DiscardReason.ATTEMPTS) == 3);
        assertOnlyReason(DiscardReason.ATTEMPTS);
    }

    @Test
    void items_that_are_retried_as_dead_without_a_dead_queue_are_told_to_the_listener() {
        ItemQueue queue = listened(config -> config);
        produce(queue, 2);
        List<ItemId> ids = lease(queue, 2).ids();
        queue.retry(0, List.of(RetryItem.dead(ids.get(0)), RetryItem.now(ids.get(1))));
        await(() -> heardOf(queue, DiscardReason.REJECTED) == 1);
        assertOnlyReason(DiscardReason.REJECTED);
        assertThat(stored(queue)).hasSize(1);
    }

    @Test
    void an_item_whose_dead_letter_is_there_already_is_told_to_the_listener() {
        ItemQueue dead = newQueue();
        ItemQueue queue = listened(config -> config.deadQueue(dead.name()));
        produce(queue, 1);
        ItemId id = leaseOne(queue).id();
        dead.admin()
                .importItems(
                        0,
                        List.of(new StoredItem(
                                null, id.value(), false, null, null, null, null, 0, 0, "", "", "", new byte[] {1})));
        queue.retry(0, List.of(RetryItem.dead(id)));
        await(() -> heardOf(queue, DiscardReason.DUPLICATE) == 1);
        assertThat(stored(dead)).hasSize(1);
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void nothing_is_told_of_items_that_go_to_a_dead_queue_or_that_people_delete() {
        ItemQueue queue = listened(config -> config.maxAttempts(1).expireTimeout(Duration.ofHours(1)));
        produce(queue, 3);
        queue.retry(0, List.of(RetryItem.dead(leaseOne(queue).id())));
        queue.admin().delete(0, List.of(id(stored(queue).get(0))));
        outlive(Duration.ofHours(1));
        await(() -> stored(queues().queue(queue.name() + "-dead")).size() == 2);
        queues().delete(queue.name());
        assertThat(heard()).isEmpty();
    }

    /** A queue at nodes whose listeners can be heard. */
    private ItemQueue listened(UnaryOperator<QueueConfig> settings) {
        assumeTrue(fixture().discarded() != null, "listeners of other processes cannot be heard here");
        return newQueue(settings);
    }

    private List<DiscardedItems> heard() {
        return Objects.requireNonNull(fixture().discarded());
    }

    private long heardOf(ItemQueue queue, DiscardReason reason) {
        return heard().stream()
                .filter(items -> items.queue().equals(queue.name()) && items.reason() == reason)
                .mapToLong(DiscardedItems::count)
                .sum();
    }

    private void assertOnlyReason(DiscardReason reason) {
        assertThat(heard()).extracting(DiscardedItems::reason).containsOnly(reason);
    }
}
