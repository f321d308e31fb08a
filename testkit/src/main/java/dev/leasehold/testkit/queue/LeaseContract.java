package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Items are leased from the head, to one client at a time, and dealt fairly among those who wait. */
public class LeaseContract extends QueueContract {
    @Test
    void the_first_items_are_leased_in_their_order() {
        ItemQueue queue = newQueue();
        produce(queue, 1000);
        LeasedBatch batch = lease(queue, 10);

        List<StoredItem> stored = stored(queue);
        assertThat(stored).hasSize(1000);
        assertThat(batch.ids())
                .isEqualTo(stored.subList(0, 10).stream().map(QueueContract::id).toList());
        assertThat(stored.subList(0, 10)).allSatisfy(item -> {
            assertThat(item.isLeased()).isTrue();
            assertThat(item.attempts()).isEqualTo(1);
            assertNear(item.leaseDeadline(), now().plus(LEASE));
        });
        assertThat(batch.items()).allSatisfy(item -> {
            assertThat(item.attempts()).isEqualTo(1);
            assertNear(item.leaseDeadline(), now().plus(LEASE));
        });
        assertThat(stored.subList(10, 1000)).noneMatch(StoredItem::isLeased);
    }

    @Test
    void the_same_client_leases_the_next_items() {
        ItemQueue queue = newQueue();
        produce(queue, 100);
        LeaseRequest request = request(10).timeout(SOON);
        List<String> leased = new ArrayList<>(texts(queue.lease(request)));
        leased.addAll(texts(queue.lease(request)));

        assertThat(leased).isEqualTo(texts(20));
        assertThat(stored(queue)).hasSize(100);
        assertThat(stored(queue).subList(0, 20)).allMatch(StoredItem::isLeased);
        assertThat(stored(queue).subList(20, 100)).noneMatch(StoredItem::isLeased);
    }

    @Test
    void a_lease_is_answered_as_soon_as_there_is_something() {
        ItemQueue queue = newQueue();
        produce(queue, 3);
        CompletableFuture<LeasedBatch> lease = queue.leaseAsync(request(10));
        assertThat(texts(soon(lease))).isEqualTo(texts(3));
    }

    @Test
    void a_lease_that_waits_is_answered_by_the_next_produce() {
        ItemQueue queue = newQueue();
        CompletableFuture<LeasedBatch> waiting = park(queue, 10);
        assertThat(waiting).isNotDone();
        produce(queue, "a", "b");
        assertThat(texts(soon(waiting))).containsExactly("a", "b");
        awaitWaiting(queue, 0);
    }

    @Test
    void a_lease_that_waited_long_enough_comes_back_empty() {
        ItemQueue queue = newQueue();
        long start = System.nanoTime();
        LeasedBatch batch = queue.lease(request(10).timeout(Duration.ofMillis(300)));
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.queue()).isEqualTo(queue.name());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        awaitWaiting(queue, 0);
    }

    @Test
    void three_who_wait_for_nothing_all_come_back_empty() {
        ItemQueue queue = newQueue();
        produce(queue, "taken");
        lease(queue, 1);
        var waiting = Stream.of(200, 200, 300)
                .map(ms -> queue.leaseAsync(request(10).timeout(Duration.ofMillis(ms))))
                .toList();
        assertThat(waiting).allSatisfy(one -> assertThat(soon(one).items()).isEmpty());
    }

    @Test
    void who_waits_gets_as_much_as_it_asked_for_if_there_is_enough() {
        assertThat(dealt(1000, 5, 10, 20)).containsExactly(5, 10, 20);
    }

    @Test
    void what_is_not_enough_is_dealt_one_by_one_in_turn() {
        assertThat(dealt(23, 20, 6, 1)).containsExactly(16, 6, 1);
        assertThat(dealt(10, 10, 10, 10, 10, 10)).containsExactly(2, 2, 2, 2, 2);
        assertThat(dealt(7, 5, 5, 5)).containsExactly(3, 2, 2);
    }

    /** How many items each of the waiting requests gets of one produce of so many. */
    private List<Integer> dealt(int items, int... batchSizes) {
        ItemQueue queue = newQueue();
        List<CompletableFuture<LeasedBatch>> waiting =
                IntStream.of(batchSizes).mapToObj(size -> park(queue, size)).toList();
        produce(queue, items);
        List<LeasedBatch> batches = waiting.stream().map(QueueContract::soon).toList();
        assertLeased(queue, batches);
        return batches.stream().map(batch -> batch.items().size()).toList();
    }

    /** The batches hold what is leased in the queue: each item once, in its order, from the head without a gap. */
    private static void assertLeased(ItemQueue queue, List<LeasedBatch> batches) {
        List<ItemId> ids =
                batches.stream().flatMap(batch -> batch.ids().stream()).toList();
        assertThat(batches).allSatisfy(batch -> assertThat(batch.ids()).isSorted());
        assertThat(stored(queue).stream().filter(StoredItem::isLeased).map(QueueContract::id))
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(stored(queue).subList(0, ids.size())).allMatch(StoredItem::isLeased);
    }

    @Test
    void the_deal_begins_with_who_came_first() {
        ItemQueue queue = newQueue();
        CompletableFuture<LeasedBatch> first = park(queue, 2);
        CompletableFuture<LeasedBatch> second = park(queue, 2);
        CompletableFuture<LeasedBatch> third = park(queue, 2);

        produce(queue, "a", "b");
        assertThat(texts(soon(first))).containsExactly("a");
        assertThat(texts(soon(second))).containsExactly("b");
        assertThat(third).isNotDone();
        produce(queue, "c");
        assertThat(texts(soon(third))).containsExactly("c");
    }

    @Test
    void those_who_wait_with_nothing_for_them_wait_on() {
        ItemQueue queue = newQueue();
        List<CompletableFuture<LeasedBatch>> waiting =
                IntStream.range(0, 5).mapToObj(i -> park(queue, 1)).toList();
        produce(queue, "a", "b", "c");
        awaitWaiting(queue, 2);
        assertThat(waiting.subList(0, 3))
                .allSatisfy(one -> assertThat(soon(one).items()).hasSize(1));
        assertThat(waiting.subList(3, 5)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void a_client_can_wait_only_once_at_a_queue() {
        ItemQueue queue = newQueue();
        LeaseRequest request = request(10).timeout(SOON);
        CompletableFuture<LeasedBatch> first = queue.leaseAsync(request);
        awaitWaiting(queue, 1);

        QueueException refused = assertFails(QueueErrorCode.DUPLICATE_CLIENT, () -> queue.lease(request));
        assertThat(refused)
                .hasMessage("duplicate client id; a client cannot make multiple leased requests to the same queue");
        assertThat(first).isNotDone();
        produce(queue, "a");
        assertThat(texts(soon(first))).containsExactly("a");
    }

    @Test
    void a_client_whose_request_has_ended_can_come_again() {
        ItemQueue queue = newQueue();
        LeaseRequest request = request(1).timeout(BRIEFLY);
        assertThat(queue.lease(request).isEmpty()).isTrue();
        assertThat(queue.lease(request).isEmpty()).isTrue();
        produce(queue, "a");
        assertThat(texts(queue.lease(request.timeout(SOON)))).containsExactly("a");
    }

    @Test
    void a_client_can_wait_at_several_queues() {
        ItemQueue one = newQueue();
        ItemQueue two = newQueue();
        LeaseRequest request = request(1);
        CompletableFuture<LeasedBatch> atOne = one.leaseAsync(request);
        CompletableFuture<LeasedBatch> atTwo = two.leaseAsync(request);
        produce(one, "one");
        produce(two, "two");
        assertThat(texts(soon(atOne))).containsExactly("one");
        assertThat(texts(soon(atTwo))).containsExactly("two");
    }

    @Test
    void no_item_is_leased_twice_by_those_who_come_at_once() {
        ItemQueue queue = newQueue();
        produce(queue, 500);
        List<CompletableFuture<LeasedBatch>> leases = IntStream.range(0, 100)
                .mapToObj(i -> queue.leaseAsync(request(5)))
                .toList();
        List<LeasedBatch> batches = leases.stream().map(QueueContract::soon).toList();
        assertThat(batches).allSatisfy(batch -> assertThat(batch.items()).hasSize(5));
        assertLeased(queue, batches);
    }

    @Test
    void whatever_the_numbers_each_item_is_leased_and_completed_once() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            int count = 1 + random.nextInt(200);
            int batchSize = 1 + random.nextInt(50);
            ItemQueue queue = newQueue();
            produce(queue, count);
            assertThat(stored(queue)).hasSize(count);

            List<String> seen = new ArrayList<>();
            while (seen.size() < count) {
                LeasedBatch batch = lease(queue, batchSize);
                seen.addAll(texts(batch));
                queue.complete(batch);
            }
            assertThat(seen).as("seed %d", seed).isEqualTo(texts(count));
            assertThat(stored(queue)).isEmpty();
        }
    }

    @Test
    void the_async_form_does_not_block() {
        ItemQueue queue = newQueue();
        List<CompletableFuture<LeasedBatch>> waiting = IntStream.range(0, 500)
                .mapToObj(i -> queue.leaseAsync(request(1)))
                .toList();
        awaitWaiting(queue, 500);
        produce(queue, 500);
        assertThat(waiting.stream().map(one -> texts(soon(one)).get(0)))
                .containsExactlyInAnyOrderElementsOf(texts(500));
    }
}
