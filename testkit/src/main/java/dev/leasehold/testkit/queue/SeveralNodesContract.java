package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Any node serves any queue: what one does the others see. */
public class SeveralNodesContract extends QueueContract {
    private static final Duration ALL = Duration.ofSeconds(TestWaits.TEST_LIMIT);

    private Queues other;
    private ItemQueue here;
    private ItemQueue there;

    @BeforeEach
    final void openOtherNode() {
        other = anotherNode();
        here = newQueue(config -> config.expireTimeout(Duration.ofDays(7)));
        there = other.queue(here.name());
    }

    @Test
    void what_one_node_produces_another_leases_and_a_third_completes() {
        produce(here, "a");
        LeasedBatch batch = lease(there, 1);
        assertThat(texts(batch)).containsExactly("a");
        anotherNode().queue(here.name()).complete(batch);
        assertThat(stored(here)).isEmpty();
        assertThat(stored(there)).isEmpty();
    }

    @Test
    void a_produce_wakes_a_lease_that_waits_on_another_node() {
        for (int i = 0; i < 10; i++) {
            CompletableFuture<LeasedBatch> waiting = park(there, 1);
            produce(here, "a" + i);
            assertThat(texts(soon(waiting))).containsExactly("a" + i);
        }
    }

    @Test
    void a_retry_wakes_a_lease_that_waits_on_another_node() {
        produce(here, "a");
        LeasedItem item = leaseOne(here);
        CompletableFuture<LeasedBatch> waiting = park(there, 1);
        here.retry(0, List.of(RetryItem.now(item.id())));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    void an_import_wakes_a_lease_that_waits_on_another_node() {
        CompletableFuture<LeasedBatch> waiting = park(there, 1);
        here.admin().importItems(0, List.of(StoredItem.of(new byte[] {'a'})));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    void who_waits_on_several_nodes_is_all_served() {
        List<CompletableFuture<LeasedBatch>> waiting = IntStream.range(0, 10)
                .mapToObj(i -> park(i % 2 == 0 ? here : there, 1))
                .toList();
        for (String text : texts(10)) {
            produce(here, text);
        }
        assertThat(waiting.stream().map(one -> texts(soon(one)).get(0))).containsExactlyInAnyOrderElementsOf(texts(10));
    }

    @Test
    void an_update_counts_on_every_node_from_when_it_returns() {
        for (int minutes = 2; minutes < 12; minutes++) {
            Duration timeout = Duration.ofMinutes(minutes);
            produce(there, "a");
            other.queue(here.name()).admin().stats();
            update(here, config -> config.leaseTimeout(timeout));
            assertThat(other.info(here.name()).config().leaseTimeout()).isEqualTo(timeout);
            assertNear(leaseOne(there).leaseDeadline(), now().plus(timeout));
        }
    }

    @Test
    void an_update_of_the_expire_timeout_counts_for_produces_on_every_node() {
        produce(there, "before");
        update(here, config -> config.expireTimeout(Duration.ofHours(3)));
        produce(there, "after");
        assertNear(stored(there).get(1).expireDeadline(), now().plus(Duration.ofHours(3)));
    }

    @Test
    void partitions_that_were_added_on_one_node_are_used_by_the_others() {
        produce(there, "a");
        update(here, config -> config.partitions(2));
        assertThat(List.of(produce(there, "b").partition(), produce(there, "b").partition()))
                .contains(1);
        assertThat(List.of(
                        leaseOne(here).text(),
                        leaseOne(here).text(),
                        leaseOne(here).text()))
                .containsExactlyInAnyOrder("a", "b", "b");
    }

    @Test
    void a_queue_that_was_deleted_on_one_node_is_gone_on_the_others() {
        produce(there, "a");
        queues().delete(here.name());
        String message = "queue does not exist; no such queue named '" + here.name() + "'";
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, message, () -> produce(there, "b"));
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, message, () -> there.lease(request(1)));
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, message, () -> stored(there));
        assertFails(QueueErrorCode.NO_SUCH_QUEUE, message, () -> other.info(here.name()));
    }

    @Test
    void a_delete_on_one_node_ends_leases_that_wait_on_another() {
        CompletableFuture<LeasedBatch> waiting = park(there, 1);
        queues().delete(here.name());
        assertFails(QueueErrorCode.SHUTTING_DOWN, "queue is shutting down", () -> soon(waiting));
    }

    @Test
    void a_queue_that_was_made_anew_on_one_node_is_the_new_one_on_the_others() {
        produce(there, "old");
        LeasedBatch old = lease(there, 1);
        queues().delete(here.name());
        queues().create(QueueConfig.named(here.name()));

        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(old.ids().get(0)), () -> there.complete(old));
        assertThat(stored(there)).isEmpty();
        produce(there, "new");
        assertThat(texts(lease(here, 10))).containsExactly("new");
    }

    @Test
    void order_is_kept_across_nodes() {
        List<ItemQueue> nodes = List.of(here, there, anotherNode().queue(here.name()));
        List<String> texts = texts(60);
        for (int i = 0; i < 60; i++) {
            produce(nodes.get(i % 3), texts.get(i));
        }
        List<String> leased = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            leased.addAll(texts(lease(nodes.get(i % 3), 1)));
        }
        assertThat(leased).isEqualTo(texts);
    }

    @Test
    void no_item_is_leased_twice_by_many_on_several_nodes() {
        List<ItemQueue> nodes = List.of(here, there);
        ConcurrentLinkedQueue<LeasedItem> leased = new ConcurrentLinkedQueue<>();
        AtomicInteger left = new AtomicInteger(600);
        var producers = IntStream.range(0, 4)
                .mapToObj(i -> inBackground(() -> {
                    for (int n = 0; n < 50; n++) {
                        String text = i + "-" + n;
                        produce(nodes.get(i % 2), text + "a", text + "b", text + "c");
                    }
                    return i;
                }))
                .toList();
        var consumers = IntStream.range(0, 4)
                .mapToObj(i -> inBackground(() -> {
                    while (left.get() > 0) {
                        LeasedBatch batch = nodes.get(i % 2).lease(request(7).timeout(BRIEFLY));
                        leased.addAll(batch.items());
                        left.addAndGet(-batch.items().size());
                    }
                    return i;
                }))
                .toList();
        producers.forEach(one -> inTime(ALL, one));
        consumers.forEach(one -> inTime(ALL, one));

        assertThat(leased).hasSize(600);
        assertThat(leased.stream().map(LeasedItem::text)).doesNotHaveDuplicates();
        assertThat(leased).allSatisfy(item -> assertThat(item.attempts()).isEqualTo(1));
        assertThat(here.admin().stats().partitions().get(0).totalLeased()).isEqualTo(600);
    }

    @Test
    void leases_that_end_are_taken_back_once_however_many_nodes_look() {
        List<Queues> nodes = List.of(anotherNode(), anotherNode());
        nodes.forEach(node -> node.queue(here.name()).admin().stats());
        produce(here, 300);
        lease(there, 300);
        outlive(LEASE);
        await(() -> here.admin().stats().partitions().get(0).totalLeased() == 0);
        assertThat(texts(stored(here))).containsExactlyInAnyOrderElementsOf(texts(300));
        assertThat(stored(here)).allSatisfy(item -> assertThat(item.attempts()).isEqualTo(1));
    }

    @Test
    void what_is_due_is_done_although_the_node_that_knew_of_it_is_gone() {
        produce(there, "a");
        leaseOne(there);
        other.close();
        outlive(LEASE);
        assertThat(leaseOne(here).attempts()).isEqualTo(2);
    }

    @Test
    void updates_that_cross_leave_one_of_them_on_every_node() {
        var updates = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> inBackground(() -> (i % 2 == 0 ? queues() : other)
                        .update(new QueueUpdate(
                                here.name(), Duration.ofMinutes(i), Duration.ofDays(i), i, "", "r" + i, 0))))
                .toList();
        updates.forEach(QueueContract::soon);
        QueueConfig config = queues().info(here.name()).config();
        assertThat(other.info(here.name()).config()).isEqualTo(config);
        assertThat(config.leaseTimeout()).isEqualTo(Duration.ofMinutes(config.maxAttempts()));
        assertThat(config.expireTimeout()).isEqualTo(Duration.ofDays(config.maxAttempts()));
    }
}
