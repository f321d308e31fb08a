package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A consumer that is closed finishes what it has begun, and gives the rest back. */
public class ConsumerCloseContract extends ConsumerTests {
    @Test
    void close_gives_back_what_was_not_begun_and_finishes_what_runs() {
        ItemQueue queue = newQueue();
        produce(queue, 5);
        Consumer consumer = consume(queue, ConsumeOptions.DEFAULT, this::block);
        awaitHandled(1);
        await(() -> stored(queue).stream().allMatch(StoredItem::isLeased));

        CompletableFuture<Boolean> closing = inBackground(() -> {
            consumer.close();
            return true;
        });
        await(() -> stored(queue).stream().filter(StoredItem::isLeased).count() == 1);
        assertThat(closing).isNotDone();
        assertThat(consumer.isClosed()).isFalse();
        letEnd(1);
        soon(closing);

        assertThat(consumer.isClosed()).isTrue();
        assertThat(texts(stored(queue))).containsExactly("0001", "0002", "0003", "0004");
        assertThat(stored(queue)).allSatisfy(item -> {
            assertThat(item.isLeased()).isFalse();
            assertThat(item.attempts()).isZero();
        });
    }

    @Test
    void a_closed_consumer_leases_nothing_more() throws InterruptedException {
        ItemQueue queue = newQueue();
        Consumer consumer = consume(queue, ConsumeOptions.DEFAULT, item -> {});
        awaitWaiting(queue, 1);
        assertThat(consumer.awaitClosed(Duration.ofMillis(20))).isFalse();
        consumer.close();
        consumer.close();
        assertThat(consumer.awaitClosed(SOON)).isTrue();
        awaitWaiting(queue, 0);
        produce(queue, "a");
        assertThat(leaseOne(queue).attempts()).isEqualTo(1);
        assertThat(handled()).isEmpty();
    }

    @Test
    void a_handler_that_does_not_end_in_time_is_interrupted_and_its_item_is_tried_again() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        Consumer consumer = consume(queue, AGAIN_AT_ONCE.stopTimeout(Duration.ofMillis(100)), this::block);
        awaitHandled(1);
        consumer.close();
        assertThat(consumer.isClosed()).isTrue();
        StoredItem item = onlyStored(queue);
        assertThat(item.isLeased()).isFalse();
        assertThat(item.attempts()).isEqualTo(1);
    }

    @Test
    void a_handler_can_close_its_own_consumer() throws InterruptedException {
        ItemQueue queue = newQueue();
        CompletableFuture<Consumer> self = new CompletableFuture<>();
        CountDownLatch called = new CountDownLatch(1);
        Consumer consumer = consume(queue, ConsumeOptions.DEFAULT, item -> {
            self.join().close();
            called.countDown();
        });
        self.complete(consumer);
        produce(queue, "last", "not begun");
        assertThat(consumer.awaitClosed(SOON)).isTrue();
        called.await();
        assertThat(texts(stored(queue))).containsExactly("not begun");
    }

    @Test
    void closing_the_node_closes_its_consumers() {
        Queues leaving = anotherNode();
        ItemQueue queue = newQueue();
        ItemQueue there = leaving.queue(queue.name());
        produce(queue, 3);
        Consumer consumer = consume(there, ConsumeOptions.DEFAULT, this::block);
        awaitHandled(1);
        letEnd(1);
        awaitHandled(2);
        CompletableFuture<Boolean> closing = inBackground(() -> {
            leaving.close();
            return true;
        });
        await(() -> stored(queue).stream().filter(StoredItem::isLeased).count() == 1);
        letEnd(1);
        soon(closing);
        assertThat(consumer.isClosed()).isTrue();
        assertThat(texts(stored(queue))).containsExactly("0002");
    }

    @Test
    void a_consumer_of_a_queue_that_is_deleted_ends() throws InterruptedException {
        ItemQueue queue = newQueue();
        Consumer consumer = consume(queue, ConsumeOptions.DEFAULT, item -> {});
        awaitWaiting(queue, 1);
        queues().delete(queue.name());
        assertThat(consumer.awaitClosed(SOON)).isTrue();
    }
}
