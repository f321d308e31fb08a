package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Items that another system lost, forgot or took away are not lost, forgotten or taken away here. */
public class KnownDefectsContract extends QueueContract {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void nul_characters_hurt_nobody_else() {
        ItemQueue queue = newQueue();
        List<CompletableFuture<Produced>> neighbours = new ArrayList<>();
        for (String text : texts(100)) {
            neighbours.add(queue.produceAsync(ProduceRequest.of(NewItem.of(text))));
            assertNulRefused("reference", () -> NewItem.of("x").reference("a\0b"));
            assertNulRefused("kind", () -> NewItem.of("x").kind("\0"));
            assertNulRefused("encoding", () -> NewItem.of("x").encoding("\0"));
        }
        assertNulRefused("queue name", () -> queues().create(QueueConfig.named("a\0b")));
        neighbours.forEach(one -> assertThat(soon(one).ids()).hasSize(1));
        assertThat(texts(stored(queue))).containsExactlyInAnyOrderElementsOf(texts(100));

        queue.admin().clear(new ClearRequest(true, false, false));
        queue.produce(NewItem.of("a\0b"));
        assertThat(leaseOne(queue).text()).isEqualTo("a\0b");
    }

    private static void assertNulRefused(String field, ThrowingCallable call) {
        assertFails(QueueErrorCode.INVALID_ARGUMENT, field + " is invalid; cannot contain the character U+0000", call);
    }

    @Test
    void scheduled_items_are_not_stranded() {
        ItemQueue queue = newQueue();
        queue.produce(NewItem.of("soon").when(When.after(MINUTE)));
        queue.produce(NewItem.of("later").when(When.after(MINUTE.multipliedBy(10))));
        outlive(MINUTE);
        await(() -> texts(stored(queue)).equals(List.of("soon")));
        outlive(MINUTE.multipliedBy(10));
        await(() -> texts(stored(queue)).equals(List.of("soon", "later")));
    }

    @Test
    void scheduled_items_are_not_stranded_by_a_restart() {
        Queues leaving = anotherNode();
        ItemQueue queue = newQueue();
        leaving.queue(queue.name()).produce(NewItem.of("a").when(When.after(MINUTE)));
        leaving.close();
        outlive(MINUTE);
        assertThat(anotherNode()
                        .queue(queue.name())
                        .lease(request(1).timeout(SOON))
                        .items())
                .hasSize(1);
    }

    @Test
    void a_partial_update_does_not_zero_live_timeouts() {
        ItemQueue queue = newQueue(config -> config.leaseTimeout(MINUTE).expireTimeout(Duration.ofHours(2)));
        queues().update(new QueueUpdate(queue.name(), Duration.ZERO, Duration.ZERO, 5, "", "changed", 0));

        produce(queue, "a");
        assertNear(onlyStored(queue).expireDeadline(), now().plus(Duration.ofHours(2)));
        assertNear(leaseOne(queue).leaseDeadline(), now().plus(MINUTE));
        QueueConfig config = queues().info(queue.name()).config();
        assertThat(config.reference()).isEqualTo("changed");
        assertThat(config.leaseTimeout()).isEqualTo(MINUTE);
        assertThat(config.expireTimeout()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void an_update_does_not_revert_with_a_restart() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(10).discardDead());
        produce(queue, "a");
        update(queue, config -> config.maxAttempts(1).deadQueue(dead.name()));
        ItemQueue restarted = anotherNode().queue(queue.name());
        queues().close();

        lapse(restarted);
        await(() -> texts(stored(anotherNode().queue(dead.name()))).equals(List.of("a")));
        assertThat(stored(restarted)).isEmpty();
    }

    @Test
    void leases_are_not_phantoms() {
        ItemQueue queue = newQueue();
        produce(queue, 200);
        for (int i = 0; i < 20; i++) {
            LeasedBatch batch = lease(queue, 10);
            assertThat(queue.admin()
                            .list(ItemListing.of(0).from(batch.ids().get(0)).limit(10)))
                    .allMatch(StoredItem::isLeased)
                    .extracting(StoredItem::id)
                    .isEqualTo(batch.ids());
        }
    }

    @Test
    void expired_unleased_items_leave_for_the_dead_queue_once() {
        ItemQueue dead = newQueue();
        ItemQueue queue =
                newQueue(config -> config.expireTimeout(Duration.ofMinutes(10)).deadQueue(dead.name()));
        produce(queue, "a");
        outlive(Duration.ofMinutes(10));
        await(() -> texts(stored(dead)).equals(List.of("a")));
        assertThat(stored(queue)).isEmpty();
        dead.complete(lease(dead, 1));

        produce(queue, "b");
        outlive(Duration.ofMinutes(10));
        await(() -> texts(stored(dead)).equals(List.of("b")));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void the_last_attempt_is_not_taken_away_mid_lease() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(1).deadQueue(dead.name()));
        produce(queue, "a", "lapses first");
        LeasedBatch kept = lease(queue, 1);
        leaseOne(queue);
        clock().advance(MINUTE.dividedBy(2));
        queue.extend(0, kept.ids(), Duration.ZERO);
        clock().advance(MINUTE.dividedBy(2).plusSeconds(1));
        await(() -> texts(stored(dead)).equals(List.of("lapses first")));

        assertThat(onlyStored(queue).id()).isEqualTo(kept.ids().get(0));
        queue.complete(kept);
        assertThat(texts(stored(dead))).containsExactly("lapses first");
    }

    @Test
    void max_attempts_is_enforced_on_retry() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(2).deadQueue(dead.name()));
        produce(queue, "now", "later");
        retryAll(queue, When.now());
        LeasedBatch last = lease(queue, 2);
        queue.retry(
                0,
                List.of(
                        RetryItem.now(last.ids().get(0)),
                        RetryItem.at(last.ids().get(1), When.after(Duration.ofHours(1)))));
        assertThat(stored(queue)).isEmpty();
        assertThat(scheduled(queue)).isEmpty();
        assertThat(texts(stored(dead))).containsExactlyInAnyOrder("now", "later");
    }

    @Test
    void max_attempts_is_enforced_on_retry_without_a_dead_queue() {
        ItemQueue queue = newQueue(config -> config.maxAttempts(2).discardDead());
        produce(queue, "a");
        retryAll(queue, When.now());
        retryAll(queue, When.after(Duration.ofHours(1)));
        assertThat(stored(queue)).isEmpty();
        assertThat(scheduled(queue)).isEmpty();
    }

    private void retryAll(ItemQueue queue, When when) {
        queue.retry(
                0,
                lease(queue, 100).ids().stream()
                        .map(id -> RetryItem.at(id, when))
                        .toList());
    }

    @Test
    void dead_true_goes_to_the_dead_queue() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()));
        produce(queue, "a");
        LeasedItem item = leaseOne(queue);
        queue.retry(0, List.of(RetryItem.dead(item.id())));
        assertThat(stored(queue)).isEmpty();
        assertThat(onlyStored(dead).sourceId()).isEqualTo(item.id().value());
    }

    @Test
    void waiting_consumers_are_woken_by_lease_expiry() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        leaseOne(queue);
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        outlive(LEASE);
        assertThat(soon(waiting).items().get(0).attempts()).isEqualTo(2);
    }

    @Test
    void waiting_consumers_are_woken_by_scheduled_items() {
        ItemQueue queue = newQueue();
        queue.produce(NewItem.of("a").when(When.after(MINUTE)));
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        outlive(MINUTE);
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    void waiting_consumers_are_woken_by_an_import() {
        ItemQueue queue = newQueue();
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        queue.admin().importItems(0, List.of(StoredItem.of(new byte[] {'a'})));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    void waiting_consumers_are_woken_by_a_dead_letter() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(1).deadQueue(dead.name()));
        produce(queue, "by expiry", "by retry");
        LeasedBatch batch = lease(queue, 2);
        CompletableFuture<LeasedBatch> waiting = park(dead, 1);
        queue.retry(0, List.of(RetryItem.dead(batch.ids().get(1))));
        assertThat(texts(soon(waiting))).containsExactly("by retry");
        dead.complete(soon(waiting));

        CompletableFuture<LeasedBatch> again = park(dead, 1);
        outlive(LEASE);
        assertThat(texts(soon(again))).containsExactly("by expiry");
    }

    @Test
    void no_starvation_across_partitions() {
        ItemQueue queue = newQueue(config -> config.partitions(3));
        for (String text : texts(3)) {
            produce(queue, text);
        }
        List<LeasedBatch> batches = List.of(lease(queue, 1), lease(queue, 1), lease(queue, 1));
        for (LeasedBatch batch : batches.subList(0, 2)) {
            CompletableFuture<LeasedBatch> waiting = park(queue, 10);
            queue.retry(batch.partition(), List.of(RetryItem.now(batch.ids().get(0))));
            assertThat(texts(soon(waiting))).isEqualTo(texts(batch));
        }
        outlive(LEASE);
        assertThat(List.of(
                        leaseOne(queue).text(),
                        leaseOne(queue).text(),
                        leaseOne(queue).text()))
                .containsExactlyInAnyOrderElementsOf(texts(3));
    }
}
