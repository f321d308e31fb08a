package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stats tell what is in a queue and who waits at it; reload counts anew. */
public class StatsContract extends QueueContract {
    @Test
    void an_unused_queue_has_nothing_in_it() {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        QueueStats stats = queue.admin().stats();
        assertThat(stats.queue()).isEqualTo(queue.name());
        assertThat(List.of(stats.produceWaiting(), stats.leaseWaiting(), stats.completeWaiting(), stats.inFlight()))
                .containsOnly(0);
        assertThat(stats.partitions()).containsExactly(emptyPartition(0), emptyPartition(1));
    }

    private static QueueStats.Partition emptyPartition(int number) {
        return new QueueStats.Partition(number, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, null);
    }

    private static QueueStats.Partition partition(ItemQueue queue) {
        return queue.admin().stats().partitions().get(0);
    }

    @Test
    void items_are_counted_and_so_are_the_leased() {
        ItemQueue queue = newQueue();
        produce(queue, 500);
        lease(queue, 15);
        QueueStats.Partition partition = partition(queue);
        assertThat(partition.total()).isEqualTo(500);
        assertThat(partition.totalLeased()).isEqualTo(15);
        assertThat(partition.scheduled()).isZero();
        assertThat(partition.failures()).isZero();
        assertThat(partition.averageLeasedAge()).isPositive();
    }

    @Test
    void the_average_age_is_counted_from_when_items_were_produced() {
        ItemQueue queue = newQueue();
        produce(queue, "old");
        clock().advance(Duration.ofMinutes(10));
        produce(queue, "young");
        clock().advance(Duration.ofMinutes(10));
        assertThat(partition(queue).averageAge())
                .isBetween(Duration.ofMinutes(15), Duration.ofMinutes(15).plus(clockSlack()));
    }

    @Test
    void the_oldest_item_that_is_ready_is_told_with_its_age() {
        ItemQueue queue = newQueue();
        produce(queue, "leased", "oldest");
        leaseOne(queue);
        clock().advance(Duration.ofMinutes(10));
        produce(queue, "young");
        assertThat(partition(queue).oldestReady())
                .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(10).plus(clockSlack()));
    }

    @Test
    void the_average_leased_age_is_the_time_that_leases_have_left() {
        ItemQueue queue = newQueue(config -> config.leaseTimeout(Duration.ofMinutes(30)));
        produce(queue, "a", "b", "not leased");
        leaseOne(queue);
        clock().advance(Duration.ofMinutes(10));
        leaseOne(queue);
        assertThat(partition(queue).averageLeasedAge())
                .isBetween(Duration.ofMinutes(25).minus(clockSlack()), Duration.ofMinutes(25));
    }

    @Test
    void leases_that_are_over_are_not_counted_any_more() {
        ItemQueue queue = newQueue();
        produce(queue, 20);
        LeasedBatch batch = lease(queue, 10);
        queue.complete(0, batch.ids().subList(0, 4));
        assertLeased(queue, 6, 16);
        queue.retry(0, batch.ids().subList(4, 7).stream().map(RetryItem::now).toList());
        assertLeased(queue, 3, 16);
        outlive(LEASE);
        await(() -> partition(queue).totalLeased() == 0);
        assertLeased(queue, 0, 16);
    }

    private static void assertLeased(ItemQueue queue, int leased, int total) {
        assertThat(partition(queue).totalLeased()).isEqualTo(leased);
        assertThat(partition(queue).total()).isEqualTo(total);
    }

    @Test
    void scheduled_items_are_counted_apart_until_they_are_ready() {
        ItemQueue queue = newQueue();
        queue.produce(ProduceRequest.of(texts(50).stream()
                .map(text -> NewItem.of(text).when(When.after(Duration.ofMinutes(1))))
                .toList()));
        assertThat(partition(queue).scheduled()).isEqualTo(50);
        assertThat(partition(queue).total()).isZero();

        clock().advance(Duration.ofMinutes(2));
        await(() -> partition(queue).scheduled() == 0);
        assertThat(partition(queue).total()).isEqualTo(50);
    }

    @Test
    void leases_that_wait_are_counted() {
        ItemQueue queue = newQueue();
        assertThat(park(queue, 1)).isNotDone();
        assertThat(park(queue, 1)).isNotDone();
        QueueStats stats = queue.admin().stats();
        assertThat(stats.leaseWaiting()).isEqualTo(2);
        assertThat(stats.inFlight()).isEqualTo(2);
        assertThat(stats.produceWaiting()).isZero();
        assertThat(stats.completeWaiting()).isZero();
        produce(queue, "a");
        awaitWaiting(queue, 1);
    }

    @Test
    void who_waits_is_counted_where_it_waits() {
        ItemQueue queue = newQueue();
        ItemQueue other = anotherNode().queue(queue.name());
        assertThat(park(queue, 1)).isNotDone();
        assertThat(other.admin().stats().leaseWaiting()).isZero();
        assertThat(newQueue().admin().stats().leaseWaiting()).isZero();
    }

    @Test
    void after_calls_that_cross_nobody_is_counted_as_waiting() {
        ItemQueue queue = newQueue();
        var crossing = IntStream.range(0, 50)
                .mapToObj(i -> inBackground(() -> {
                    produce(queue, "a");
                    queue.complete(lease(queue, 1));
                    return i;
                }))
                .toList();
        crossing.forEach(QueueContract::soon);
        await(() -> queue.admin().stats().inFlight() == 0);
        QueueStats stats = queue.admin().stats();
        assertThat(List.of(stats.produceWaiting(), stats.leaseWaiting(), stats.completeWaiting()))
                .containsOnly(0);
    }

    @Test
    void an_empty_queue_can_be_reloaded() {
        ItemQueue queue = newQueue();
        queue.admin().reload();
        assertLeased(queue, 0, 0);
    }

    @Test
    void a_reload_leaves_items_as_they_are() {
        ItemQueue queue = newQueue();
        importItems(queue, 50);
        assertLeased(queue, 0, 50);
        queue.admin().reload();
        assertLeased(queue, 0, 50);
        assertThat(stored(queue)).hasSize(50);
    }

    private static void importItems(ItemQueue queue, int count) {
        queue.admin()
                .importItems(
                        0,
                        IntStream.range(0, count)
                                .mapToObj(i -> StoredItem.of(new byte[] {1}))
                                .toList());
    }

    @Test
    void imported_items_are_counted_and_all_can_be_leased_at_once() {
        ItemQueue queue = newQueue();
        importItems(queue, 100);
        importItems(queue, 50);
        assertLeased(queue, 0, 150);
        queue.admin().reload();
        assertThat(lease(queue, 150).items()).hasSize(150);
    }

    @Test
    void a_reload_knows_of_leases_and_of_what_was_completed() {
        ItemQueue queue = newQueue();
        produce(queue, 100);
        LeasedBatch batch = lease(queue, 20);
        queue.admin().reload();
        assertLeased(queue, 20, 100);
        queue.complete(0, batch.ids().subList(0, 10));
        queue.admin().reload();
        assertLeased(queue, 10, 90);
    }
}
