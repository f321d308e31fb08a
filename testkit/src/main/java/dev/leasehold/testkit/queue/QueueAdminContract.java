package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Queues are created, shown, changed and deleted. */
public class QueueAdminContract extends QueueContract {
    @Test
    void a_new_queue_is_shown_as_it_was_told() {
        ItemQueue dead = newQueue();
        QueueConfig config = fullConfig(dead);

        QueueInfo created = queues().create(config);
        assertThat(created.config()).isEqualTo(config);
        assertThat(created.name()).isEqualTo(config.name());
        assertNear(created.createdAt(), now());
        assertThat(created.updatedAt()).isEqualTo(created.createdAt());
        assertThat(queues().info(config.name())).isEqualTo(created);
        assertThat(listFrom(config.name(), 1)).containsExactly(created);
    }

    private QueueConfig fullConfig(ItemQueue dead) {
        return new QueueConfig(
                unique("full"),
                QueueConfig.SYSTEM_NAMESPACE,
                Duration.ofMinutes(1),
                Duration.ofMinutes(10),
                10,
                dead.name(),
                "rainbow@queue.io",
                3);
    }

    @Test
    void every_verb_goes_without_a_thread() {
        QueueConfig config = QueueConfig.named(unique("async")).namespace("shop");
        QueueInfo created = soon(queues().createAsync(config));
        assertThat(soon(queues().infoAsync(config.name()))).isEqualTo(created);
        assertThat(soon(queues().listAsync(new QueueListing("shop", config.name(), 1))))
                .containsExactly(created);
        assertThat(soon(queues().queue(config.name()).namespaceAsync())).isEqualTo("shop");
        QueueInfo updated = soon(queues().updateAsync(QueueUpdate.to(config.reference("new"))));
        assertThat(updated.config().reference()).isEqualTo("new");
        soon(queues().deleteAsync(config.name()));
        var gone = queues().infoAsync(config.name());
        var nowhere = queues().queue(config.name()).namespaceAsync();
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, () -> soon(gone));
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, () -> soon(nowhere));
    }

    @Test
    void wrong_arguments_fail_the_future() {
        var info = queues().infoAsync("");
        var delete = queues().deleteAsync("");
        assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> soon(info));
        assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> soon(delete));
    }

    @Test
    void a_queue_without_a_namespace_is_in_the_systems() {
        QueueInfo created = queues().create(QueueConfig.named(unique("plain")).namespace(""));
        assertThat(created.config().namespace()).isEqualTo("_system");
        assertThat(listFrom(created.name(), 1)).containsExactly(created);
        assertThat(queues().list(new QueueListing("_system", created.name(), 1)))
                .containsExactly(created);
    }

    @Test
    void a_name_is_taken_once_whatever_the_namespace() {
        String name = unique("taken");
        queues().create(QueueConfig.named(name).reference("first"));
        String message = "invalid queue; '" + name + "' already exists";
        assertFails(QueueErrorCode.ALREADY_EXISTS, message, () -> queues().create(QueueConfig.named(name)));
        assertFails(
                QueueErrorCode.ALREADY_EXISTS,
                message,
                () -> queues().create(QueueConfig.named(name).namespace(unique("space"))));
        assertThat(queues().info(name).config().reference()).isEqualTo("first");
    }

    @Test
    void of_several_who_create_the_same_queue_at_once_one_succeeds() {
        String name = unique("contested");
        var other = anotherNode();
        var attempts = IntStream.range(0, 6)
                .mapToObj(i -> inBackground(() -> (i % 2 == 0 ? queues() : other).create(QueueConfig.named(name))))
                .toList();
        await(() -> attempts.stream().allMatch(one -> one.isDone()));
        assertThat(attempts.stream().filter(one -> !one.isCompletedExceptionally()))
                .hasSize(1);
        attempts.stream()
                .filter(one -> one.isCompletedExceptionally())
                .forEach(one -> assertFails(QueueErrorCode.ALREADY_EXISTS, () -> soon(one)));
    }

    @Test
    void max_attempts_can_be_changed() {
        assertOnlyChange(config -> config.maxAttempts(100));
    }

    @Test
    void the_lease_timeout_can_be_changed() {
        assertOnlyChange(config -> config.leaseTimeout(Duration.ofMinutes(5)));
    }

    @Test
    void the_expire_timeout_can_be_changed() {
        assertOnlyChange(config -> config.expireTimeout(Duration.ofMinutes(20)));
    }

    @Test
    void the_reference_can_be_changed() {
        assertOnlyChange(config -> config.reference("friendship@queue.io"));
    }

    @Test
    void the_dead_queue_can_be_changed() {
        ItemQueue dead = newQueue();
        assertOnlyChange(config -> config.deadQueue(dead.name()));
    }

    @Test
    void everything_but_the_namespace_can_be_changed_at_once() {
        ItemQueue dead = newQueue();
        assertOnlyChange(config -> config.maxAttempts(7)
                .leaseTimeout(Duration.ofSeconds(90))
                .expireTimeout(Duration.ofHours(3))
                .reference("all of it")
                .deadQueue(dead.name())
                .partitions(5));
    }

    private void assertOnlyChange(UnaryOperator<QueueConfig> change) {
        QueueInfo before = queues().create(fullConfig(newQueue()));
        clock().advance(Duration.ofSeconds(5));

        QueueConfig expected = change.apply(before.config());
        QueueInfo after = queues().update(QueueUpdate.to(expected));
        assertThat(after.config()).isEqualTo(expected);
        assertThat(after.createdAt()).isEqualTo(before.createdAt());
        assertThat(after.updatedAt()).isAfter(before.updatedAt()).isBeforeOrEqualTo(now());
        assertThat(queues().info(before.name())).isEqualTo(after);
        assertThat(listFrom(before.name(), 1)).containsExactly(after);
    }

    @Test
    void an_update_keeps_timeouts_and_partitions_that_are_zero_and_sets_the_rest() {
        QueueInfo before = queues().create(fullConfig(newQueue()));
        var update = new QueueUpdate(before.name(), Duration.ZERO, Duration.ZERO, 0, "", "", 0);

        QueueConfig expected = before.config().maxAttempts(0).deadQueue("").reference("");
        assertThat(queues().update(update).config()).isEqualTo(expected);
        assertThat(queues().info(before.name()).config()).isEqualTo(expected);
    }

    @Test
    void an_update_that_makes_leases_longer_than_items_live_is_refused_and_changes_nothing() {
        QueueInfo before = queues().create(
                        QueueConfig.named(unique("short")).leaseTimeout(LEASE).expireTimeout(Duration.ofMinutes(10)));
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "lease timeout is too long; 1h0m0s cannot be greater than the expire timeout 10m0s",
                () -> queues().update(
                                new QueueUpdate(before.name(), Duration.ofHours(1), Duration.ZERO, 0, "", "", 0)));
        assertThat(queues().info(before.name())).isEqualTo(before);
    }

    @Test
    void updates_at_the_same_time_all_take_effect_one_after_the_other() {
        ItemQueue queue = newQueue();
        var other = anotherNode();
        var updates = IntStream.rangeClosed(1, 10)
                .mapToObj(i -> inBackground(() -> (i % 2 == 0 ? queues() : other)
                        .update(new QueueUpdate(queue.name(), Duration.ZERO, Duration.ZERO, i, "", "r" + i, 0))))
                .toList();
        assertThat(updates).allSatisfy(one -> {
            QueueConfig told = soon(one).config();
            assertThat(told.reference()).isEqualTo("r" + told.maxAttempts());
        });
        QueueConfig last = queues().info(queue.name()).config();
        assertThat(last.reference()).isEqualTo("r" + last.maxAttempts());
    }

    @Test
    void a_deleted_queue_is_gone() {
        QueueInfo first = queues().create(QueueConfig.named(unique("gone")));
        QueueInfo next = queues().create(QueueConfig.named(unique("gone")));

        queues().delete(first.name());
        assertThat(listFrom(first.name(), 1)).containsExactly(next);
        assertNoSuchQueue(first.name());
    }

    private void assertNoSuchQueue(String name) {
        String message = "queue does not exist; no such queue named '" + name + "'";
        Stream.<ThrowingCallable>of(
                        () -> queues().info(name),
                        () -> queues().delete(name),
                        () -> queues().update(new QueueUpdate(name, LEASE, LEASE, 0, "", "", 1)),
                        () -> produce(queues().queue(name), "late"),
                        () -> queues().queue(name).lease(request(1)),
                        () -> queues().queue(name).admin().stats())
                .forEach(call -> assertFails(QueueErrorCode.NO_SUCH_QUEUE, message, call));
    }

    @Test
    void a_queue_that_never_was_is_told_as_missing() {
        assertNoSuchQueue(unique("never"));
    }

    @Test
    void a_deleted_queue_can_be_created_again_as_a_new_one() {
        ItemQueue queue = newQueue(config -> config.reference("old"));
        Instant before = queues().info(queue.name()).createdAt();
        queues().delete(queue.name());
        clock().advance(Duration.ofSeconds(5));

        QueueInfo again = queues().create(QueueConfig.named(queue.name()));
        assertThat(again.config().reference()).isEmpty();
        assertThat(again.createdAt()).isAfter(before);
        produce(queue, "new");
        assertThat(texts(lease(queue, 10))).containsExactly("new");
    }

    @Test
    void a_dead_queue_must_exist() {
        String message = "dead_queue does not exist; 'no-such-queue' was not found, create it first";
        ItemQueue queue = newQueue();
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                message,
                () -> queues().create(QueueConfig.named(unique("bad")).deadQueue("no-such-queue")));
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                message,
                () -> update(queue, config -> config.deadQueue("no-such-queue")));
    }

    @Test
    void a_dead_queue_must_not_have_one_of_its_own() {
        ItemQueue last = newQueue();
        ItemQueue chained = newQueue(config -> config.deadQueue(last.name()));
        String message = "dead_queue is invalid; '" + chained.name() + "' already has its own dead_queue configured";
        ItemQueue queue = newQueue();
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                message,
                () -> queues().create(QueueConfig.named(unique("bad")).deadQueue(chained.name())));
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                message,
                () -> update(queue, config -> config.deadQueue(chained.name())));
    }

    @Test
    void a_queue_is_not_its_own_dead_queue() {
        ItemQueue queue = newQueue();
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "dead_queue cannot reference itself",
                () -> update(queue, config -> config.deadQueue(queue.name())));
    }

    private List<QueueInfo> listFrom(String pivot, int limit) {
        return queues().list(new QueueListing("", pivot, limit));
    }
}
