package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was leased for somebody who left, or not begun, goes back to where it was, and the attempt does not count. */
public class CancellationContract extends QueueContract {
    private static final int CROSSINGS = 100;

    @Test
    void items_that_are_given_back_are_at_their_place_as_if_never_leased() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b", "c");
        List<StoredItem> before = stored(queue);
        LeasedBatch batch = lease(queue, 2);
        queue.giveBack(batch.partition(), batch.ids());

        assertThat(stored(queue))
                .usingRecursiveComparison()
                .ignoringFields("id")
                .isEqualTo(before);
        LeasedBatch again = lease(queue, 3);
        assertThat(texts(again)).containsExactly("a", "b", "c");
        assertThat(again.items()).allSatisfy(item -> assertThat(item.attempts()).isEqualTo(1));
    }

    @Test
    void a_part_of_a_batch_can_be_given_back() {
        ItemQueue queue = newQueue(config -> config.maxAttempts(1).discardDead());
        produce(queue, "a", "b", "c");
        LeasedBatch batch = lease(queue, 3);
        queue.giveBack(0, List.of(batch.ids().get(1)));
        LeasedItem again = leaseOne(queue);
        assertThat(again.text()).isEqualTo("b");
        assertThat(stored(queue).stream().map(QueueContract::id))
                .containsExactly(batch.ids().get(0), again.id(), batch.ids().get(2));
    }

    @Test
    void giving_back_what_is_not_leased_does_nothing() {
        ItemQueue queue = newQueue();
        ItemId ready = produce(queue, "a").ids().get(0);
        List<StoredItem> before = stored(queue);
        queue.giveBack(0, List.of(ready, UNKNOWN));
        assertThat(stored(queue)).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void a_lease_that_waits_is_answered_by_what_is_given_back() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedBatch batch = lease(queue, 1);
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        queue.giveBack(0, batch.ids());
        LeasedItem item = soon(waiting).items().get(0);
        assertThat(item.text()).isEqualTo("a");
        assertThat(item.attempts()).isEqualTo(1);
    }

    @Test
    void who_cancels_its_lease_does_not_wait_any_more() {
        ItemQueue queue = newQueue();
        CompletableFuture<LeasedBatch> fickle = park(queue, 1);
        CompletableFuture<LeasedBatch> steady = park(queue, 1);
        assertThat(fickle.cancel(true)).isTrue();
        awaitWaiting(queue, 1);
        produce(queue, "a");
        assertThat(texts(soon(steady))).containsExactly("a");
    }

    @Test
    void who_cancels_its_lease_may_come_again_at_once() {
        ItemQueue queue = newQueue();
        LeaseRequest request = request(1);
        for (int i = 0; i < CROSSINGS; i++) {
            queue.leaseAsync(request).cancel(true);
        }
        produce(queue, "a");
        assertThat(queue.lease(request).items().get(0).attempts()).isEqualTo(1);
    }

    @Test
    void items_that_were_leased_for_a_cancelled_call_go_back_to_their_place() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b", "c");
        for (int i = 0; i < CROSSINGS; i++) {
            CompletableFuture<LeasedBatch> call = queue.leaseAsync(request(2));
            if (!call.cancel(true)) {
                queue.giveBack(0, soon(call).ids());
            }
        }
        List<LeasedItem> back = new ArrayList<>();
        while (back.size() < 3) { // the last cancelled call may still be on its way out and back
            back.addAll(lease(queue, 3).items());
        }
        assertThat(back).extracting(LeasedItem::text).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(back).extracting(LeasedItem::attempts).containsOnly(1);
    }

    @Test
    @Tag("slow")
    void a_cancel_that_crosses_with_a_produce_loses_no_item() {
        ItemQueue queue = newQueue();
        for (int i = 0; i < CROSSINGS; i++) {
            CompletableFuture<LeasedBatch> waiting = park(queue, 1);
            CompletableFuture<Produced> produce = queue.produceAsync(ProduceRequest.of(NewItem.of("a")));
            if (!waiting.cancel(true)) {
                queue.giveBack(0, soon(waiting).ids());
            }
            soon(produce);
            LeasedBatch batch = lease(queue, 10);
            assertThat(batch.items()).hasSize(1);
            assertThat(batch.items().get(0).attempts()).isEqualTo(1);
            queue.complete(batch);
        }
    }

    @Test
    @Tag("slow")
    void a_cancel_in_one_thread_that_crosses_with_a_produce_in_another_loses_no_item() {
        ItemQueue queue = newQueue();
        AtomicReference<@Nullable CompletableFuture<LeasedBatch>> parked = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Boolean> canceller = inBackground(() -> {
            while (!over.get()) {
                CompletableFuture<LeasedBatch> waiting = parked.getAndSet(null);
                if (waiting != null && !waiting.cancel(true)) {
                    queue.giveBack(0, soon(waiting).ids());
                }
            }
            return true;
        });
        for (int i = 0; i < CROSSINGS * 2; i++) {
            parked.set(queue.leaseAsync(request(1)));
            produce(queue, "a" + i);
            LeasedBatch batch = lease(queue, 1);
            assertThat(batch.items().get(0).attempts()).isEqualTo(1);
            queue.complete(batch);
            while (parked.get() != null) { // one that nobody cancels would take the next item
                Thread.onSpinWait();
            }
        }
        over.set(true);
        soon(canceller);
    }

    @Test
    void a_cancelled_produce_is_there_once_or_not_at_all() {
        ItemQueue queue = newQueue();
        for (int i = 0; i < CROSSINGS; i++) {
            CompletableFuture<Produced> call =
                    queue.produceAsync(ProduceRequest.of(NewItem.of("a" + i), NewItem.of("b" + i)));
            if (!call.cancel(true)) {
                soon(call);
                assertThat(texts(stored(queue))).contains("a" + i, "b" + i);
            }
        }
        produce(queue, "last");
        List<String> stored = texts(stored(queue));
        assertThat(stored).doesNotHaveDuplicates();
        assertThat(numbers(stored, "a"))
                .as(
                        "the calls whose first item is there are those whose second is there, in whatever order calls overlapped")
                .isEqualTo(numbers(stored, "b"));
    }

    private static Set<String> numbers(List<String> stored, String letter) {
        return stored.stream()
                .filter(text -> text.startsWith(letter))
                .map(text -> text.substring(1))
                .collect(Collectors.toSet());
    }

    @Test
    void an_interrupt_ends_a_waiting_lease_at_once_and_stays_set() {
        ItemQueue queue = newQueue();
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> stillSet = inBackground(() -> {
            thread.complete(Thread.currentThread());
            assertFails(QueueErrorCode.ABORTED, () -> queue.lease(request(1)));
            return Thread.interrupted();
        });
        awaitWaiting(queue, 1);

        soon(thread).interrupt();
        assertThat(soon(stillSet)).isTrue();
        awaitWaiting(queue, 0);
        produce(queue, "a");
        assertThat(leaseOne(queue).attempts()).isEqualTo(1);
    }

    @Test
    void who_is_answered_may_call_the_queue_again_from_there() {
        ItemQueue queue = newQueue();
        List<CompletableFuture<Void>> completed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            completed.add(park(queue, 1).thenCompose(batch -> queue.completeAsync(batch.partition(), batch.ids())));
        }
        produce(queue, 20);
        completed.forEach(QueueContract::soon);
        assertThat(stored(queue)).isEmpty();
    }
}
