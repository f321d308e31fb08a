package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that closes tells everybody who waits at it, and leaves the queues to the others. */
public class LifecycleOfNodeContract extends QueueContract {
    private Queues leaving;
    private ItemQueue queue;
    private ItemQueue there;

    @BeforeEach
    final void openLeavingNode() {
        leaving = anotherNode();
        queue = newQueue();
        there = leaving.queue(queue.name());
    }

    @Test
    void leases_that_wait_at_a_node_that_closes_are_told() {
        ItemQueue second = leaving.queue(newQueue().name());
        List<CompletableFuture<LeasedBatch>> waiting = List.of(park(there, 1), park(there, 5), park(second, 1));
        leaving.close();
        assertThat(waiting)
                .allSatisfy(
                        one -> assertFails(QueueErrorCode.SHUTTING_DOWN, "queue is shutting down", () -> soon(one)));
    }

    @Test
    void leases_that_wait_at_another_node_go_on_waiting() {
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        leaving.close();
        assertThat(waiting).isNotDone();
        produce(queue, "a");
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @Test
    void leases_that_wait_at_a_queue_that_is_deleted_are_told() {
        List<CompletableFuture<LeasedBatch>> waiting = List.of(park(queue, 1), park(queue, 5));
        CompletableFuture<LeasedBatch> elsewhere = park(newQueue(), 1);
        queues().delete(queue.name());
        assertThat(waiting)
                .allSatisfy(
                        one -> assertFails(QueueErrorCode.SHUTTING_DOWN, "queue is shutting down", () -> soon(one)));
        assertThat(elsewhere).isNotDone();
    }

    @Test
    void a_node_that_is_closed_refuses_calls_to_its_queues() {
        leaving.close();
        assertRefused(
                () -> produce(there, "a"),
                () -> there.lease(request(1)),
                () -> there.complete(0, List.of(UNKNOWN)),
                () -> there.extend(0, List.of(UNKNOWN), LEASE),
                () -> there.admin().stats(),
                () -> stored(there));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void a_node_that_is_closed_refuses_to_create_show_and_delete_queues() {
        leaving.close();
        assertRefused(
                () -> leaving.info(queue.name()),
                () -> leaving.list(QueueListing.DEFAULT),
                () -> leaving.create(QueueConfig.named(unique("late"))),
                () -> leaving.update(QueueUpdate.to(QueueConfig.named(queue.name()))),
                () -> leaving.delete(queue.name()));
        assertThat(queues().info(queue.name()).name()).isEqualTo(queue.name());
    }

    private static void assertRefused(ThrowingCallable... calls) {
        for (ThrowingCallable call : calls) {
            assertFails(QueueErrorCode.SHUTTING_DOWN, "service is shutting down", call);
        }
    }

    @Test
    @Tag("slow")
    void leases_that_wait_at_a_queue_made_anew_are_not_told_of_the_end_of_the_old_one() {
        for (int round = 0; round < 50; round++) {
            CompletableFuture<LeasedBatch> atTheOld = park(there, 1);
            queues().delete(queue.name());
            assertFails(QueueErrorCode.SHUTTING_DOWN, () -> soon(atTheOld));
            queues().create(QueueConfig.named(queue.name()));
            CompletableFuture<LeasedBatch> here = park(queue, 1);
            CompletableFuture<LeasedBatch> elsewhere = park(there, 1);
            produce(queue, "a");
            produce(queue, "b");
            assertThat(List.of(texts(soon(here)).get(0), texts(soon(elsewhere)).get(0)))
                    .containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void a_node_can_be_closed_twice() {
        leaving.close();
        leaving.close();
        produce(queue, "a");
    }

    @Test
    void what_was_produced_stays_when_the_node_goes() {
        produce(there, 5);
        there.produce(NewItem.of("later").when(When.after(LEASE)));
        leaving.close();
        ItemQueue back = anotherNode().queue(queue.name());
        assertThat(texts(stored(back))).isEqualTo(texts(5));
        assertThat(texts(scheduled(back))).containsExactly("later");
    }

    @Test
    void what_was_leased_stays_leased_when_the_node_goes() {
        produce(there, 5);
        LeasedBatch batch = lease(there, 5);
        leaving.close();
        ItemQueue back = anotherNode().queue(queue.name());
        assertThat(stored(back)).hasSize(5).allMatch(StoredItem::isLeased);
        back.complete(batch);
        assertThat(stored(back)).isEmpty();
    }

    @Test
    void what_was_completed_stays_completed_when_the_node_goes() {
        produce(there, 10);
        List<CompletableFuture<Void>> done = lease(there, 10).ids().subList(0, 5).stream()
                .map(id -> there.completeAsync(0, List.of(id)))
                .toList();
        done.forEach(QueueContract::soon);
        leaving.close();
        assertThat(stored(anotherNode().queue(queue.name()))).hasSize(5);
    }

    @Test
    void calls_under_way_when_a_node_closes_are_all_answered_and_what_was_acknowledged_is_there() {
        List<CompletableFuture<Produced>> calls = IntStream.range(0, 200)
                .mapToObj(i -> there.produceAsync(ProduceRequest.of(NewItem.of("item" + i))))
                .toList();
        leaving.close();
        await(() -> calls.stream().allMatch(CompletableFuture::isDone));
        List<String> stored = texts(stored(queue));
        for (int i = 0; i < calls.size(); i++) {
            if (acknowledged(calls.get(i))) {
                assertThat(stored).contains("item" + i);
            }
        }
    }

    /** Whether the call succeeded; if it did not, because of the shutdown. */
    private static boolean acknowledged(CompletableFuture<Produced> call) {
        try {
            return !soon(call).ids().isEmpty();
        } catch (QueueException e) {
            assertThat(e.code()).isEqualTo(QueueErrorCode.SHUTTING_DOWN);
            return false;
        }
    }

    @Test
    void leases_that_cross_with_a_close_leave_nothing_leased_that_nobody_got() {
        for (int round = 0; round < 20; round++) {
            Queues node = anotherNode();
            ItemQueue brief = node.queue(queue.name());
            List<CompletableFuture<LeasedBatch>> waiting = IntStream.range(0, 3)
                    .mapToObj(i -> brief.leaseAsync(request(1)))
                    .toList();
            produce(queue, "a", "b", "c");
            node.close();
            await(() -> waiting.stream().allMatch(CompletableFuture::isDone));
            Set<String> got = waiting.stream()
                    .filter(one -> !one.isCompletedExceptionally())
                    .flatMap(one -> soon(one).ids().stream())
                    .map(id -> id.value())
                    .collect(Collectors.toSet());
            await(() -> stored(queue).stream()
                    .filter(StoredItem::isLeased)
                    .map(item -> id(item).value())
                    .collect(Collectors.toSet())
                    .equals(got));
            queue.admin()
                    .delete(0, stored(queue).stream().map(QueueContract::id).toList());
        }
    }
}
