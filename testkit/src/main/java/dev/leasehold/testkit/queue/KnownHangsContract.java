package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.OwnThreads;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where another system stood still, this one goes on. */
public class KnownHangsContract extends QueueContract {
    private static final Duration ALL = Duration.ofSeconds(TestWaits.TEST_LIMIT);
    private static final Set<QueueErrorCode> GONE =
            EnumSet.of(QueueErrorCode.SHUTTING_DOWN, QueueErrorCode.NO_SUCH_QUEUE);

    @Test
    void a_delete_under_load_does_not_hang_and_everybody_is_answered() {
        for (int round = 0; round < 5; round++) {
            ItemQueue queue = newQueue();
            List<CompletableFuture<Integer>> load = load(queue);
            await(() -> queue.admin().stats().partitions().get(0).total() > 0);
            CompletableFuture<Boolean> delete = inBackground(() -> {
                queues().delete(queue.name());
                return true;
            });
            assertThat(soon(delete)).isTrue();
            load.forEach(one -> assertThat(soon(one)).isPositive());
        }
    }

    @Test
    void a_shutdown_under_load_does_not_hang_and_everybody_is_answered() {
        for (int round = 0; round < 5; round++) {
            ItemQueue queue = newQueue();
            Queues leaving = anotherNode();
            List<CompletableFuture<Integer>> load = load(leaving.queue(queue.name()));
            await(() -> queue.admin().stats().partitions().get(0).total() > 0);
            CompletableFuture<Boolean> close = inBackground(() -> {
                leaving.close();
                return true;
            });
            assertThat(soon(close)).isTrue();
            load.forEach(one -> assertThat(soon(one)).isPositive());
        }
    }

    /** Workers that produce and lease until the queue is gone, and return how many calls they made. */
    private List<CompletableFuture<Integer>> load(ItemQueue queue) {
        return IntStream.range(0, 6)
                .mapToObj(i -> inBackground(() -> {
                    for (int calls = 1; ; calls++) {
                        if (isGone(i % 2 == 0 ? () -> produce(queue, "a") : () -> queue.lease(request(1)))) {
                            return calls;
                        }
                    }
                }))
                .toList();
    }

    private static boolean isGone(Runnable call) {
        try {
            call.run();
            return false;
        } catch (QueueException e) {
            assertThat(e.code()).as(e.getMessage()).isIn(GONE);
            return true;
        }
    }

    @Test
    void updates_and_dead_letters_do_not_deadlock() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()).maxAttempts(1));
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Integer> updates = inBackground(() -> {
            int count = 0;
            while (!over.get()) {
                String reference = "update " + count++;
                update(queue, config -> config.reference(reference));
                update(dead, config -> config.reference(reference));
            }
            return count;
        });
        produce(queue, 200);
        LeasedBatch batch = lease(queue, 200);
        batch.ids().subList(0, 100).forEach(id -> queue.retry(0, List.of(RetryItem.dead(id))));
        outlive(LEASE);
        await(() -> stored(queue).isEmpty());
        over.set(true);
        assertThat(soon(updates)).isPositive();
        assertThat(texts(stored(dead))).containsExactlyInAnyOrderElementsOf(texts(200));
    }

    @Test
    void a_large_backlog_of_deadlines_does_not_stop_the_queue() {
        ItemQueue queue = newQueue();
        for (int i = 0; i < 5; i++) {
            produce(queue, 1000);
            lease(queue, 1000);
        }
        outlive(LEASE);
        CompletableFuture<LeasedBatch> meanwhile = inBackground(() -> {
            produce(queue, "meanwhile");
            return lease(queue, 1);
        });
        assertThat(soon(meanwhile).items()).hasSize(1);
        await(() -> queue.admin().stats().partitions().get(0).totalLeased() <= 1);
        assertThat(queue.admin().list(ItemListing.of(0).limit(10_000))).hasSize(5001);
    }

    @Test
    void one_queue_that_is_busy_does_not_hold_up_another() {
        ItemQueue busy = newQueue();
        ItemQueue quiet = newQueue();
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Boolean>> load = IntStream.range(0, 4)
                .mapToObj(i -> inBackground(() -> {
                    while (!over.get()) {
                        produce(busy, 100);
                        busy.complete(lease(busy, 100));
                    }
                    return true;
                }))
                .toList();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<LeasedBatch> waiting = park(quiet, 1);
            produce(quiet, "a" + i);
            assertThat(texts(soon(waiting))).containsExactly("a" + i);
        }
        over.set(true);
        load.forEach(one -> inTime(ALL, one));
    }

    @Test
    void a_thousand_waiting_consumers_take_no_threads() {
        String name = newQueue().name();
        OwnThreads threads = new OwnThreads();
        ItemQueue queue = threads.call(() -> anotherNode().queue(name));
        List<CompletableFuture<LeasedBatch>> waiting = threads.call(() -> IntStream.range(0, 1000)
                .mapToObj(i -> queue.leaseAsync(request(1)))
                .toList());
        awaitWaiting(queue, 1000);
        await(() -> threads.count() < OwnThreads.FEW);
        waiting.forEach(one -> one.cancel(true));
        awaitWaiting(queue, 0);
    }

    @Test
    void another_node_takes_over() {
        Queues leaving = anotherNode();
        ItemQueue queue = newQueue();
        ItemQueue there = leaving.queue(queue.name());
        produce(there, "leased", "ready");
        leaseOne(there);
        leaving.close();
        assertThat(leaseOne(queue).text()).isEqualTo("ready");
        CompletableFuture<LeasedBatch> waiting = park(queue, 2);
        outlive(LEASE);
        assertThat(soon(waiting).items())
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.attempts()).isEqualTo(2));
    }
}
