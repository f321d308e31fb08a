package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items are produced into the partition with the least in it, and leased from the one with the most. */
public class PartitionContract extends QueueContract {
    /**
     * A queue at a node that does not look at the store meanwhile. How full a partition is, a node only estimates: an item that is
     * there but not acknowledged yet when the node looks counts twice until it looks again.
     */
    private ItemQueue unwatched(int partitions) {
        ItemQueue queue = wokenNode()
                .queue(newQueue(config -> config.partitions(partitions)).name());
        awaitFirstLook(queue);
        return queue;
    }

    @Test
    void two_produces_and_two_leases_spread_over_two_partitions() {
        ItemQueue queue = unwatched(2);
        assertThat(produce(queue, 10).partition()).isZero();
        assertThat(produce(queue, 11).partition()).isEqualTo(1);

        List<LeasedBatch> batches = List.of(lease(queue, 10), lease(queue, 10));
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch.queue()).isEqualTo(queue.name());
            assertThat(batch.items()).hasSize(10);
        });
        assertThat(batches.stream().map(LeasedBatch::partition)).containsExactly(1, 0);
        assertThat(ready(queue, 0)).isZero();
        assertThat(ready(queue, 1)).isEqualTo(1);
        assertThat(stored(queue, 0)).hasSize(10);
        assertThat(stored(queue, 1)).hasSize(11);
    }

    private static long ready(ItemQueue queue, int partition) {
        return stored(queue, partition).stream()
                .filter(item -> !item.isLeased())
                .count();
    }

    private static long leased(ItemQueue queue, int partition) {
        return stored(queue, partition).stream().filter(StoredItem::isLeased).count();
    }

    @Test
    void produces_go_where_there_is_least_and_leases_where_there_is_most() {
        ItemQueue queue = unwatched(2);
        List<Integer> targets = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            targets.add(produce(queue, 10).partition());
        }
        assertThat(targets).containsExactly(0, 1, 0, 1, 0);
        assertThat(stored(queue, 0)).hasSize(30);
        assertThat(stored(queue, 1)).hasSize(20);

        List<Integer> sources = IntStream.of(5, 10, 20)
                .mapToObj(size -> {
                    LeasedBatch batch = lease(queue, size);
                    assertThat(batch.items()).hasSize(size);
                    return batch.partition();
                })
                .toList();
        assertThat(sources).containsExactly(0, 0, 1);
        assertThat(leased(queue, 0)).isEqualTo(15);
        assertThat(leased(queue, 1)).isEqualTo(20);
    }

    @Test
    void a_lease_that_follows_at_once_on_another_knows_what_that_one_took() {
        ItemQueue queue = unwatched(2);
        for (int i = 0; i < 3; i++) {
            produce(queue, 10);
        }
        CompletableFuture<LeasedBatch> second =
                queue.leaseAsync(request(5)).thenCompose(first -> queue.leaseAsync(request(5)));
        assertThat(soon(second).partition())
                .as("15 are left in the first, 10 in the second")
                .isZero();
    }

    @Test
    void many_consumers_of_one_partition_each_get_what_they_ask_for() {
        ItemQueue queue = newQueue();
        produce(queue, 50);
        List<String> leased = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<LeasedBatch>> leases = IntStream.range(0, 5)
                    .mapToObj(i -> queue.leaseAsync(request(2)))
                    .toList();
            for (CompletableFuture<LeasedBatch> one : leases) {
                assertThat(soon(one).items()).hasSize(2);
                leased.addAll(texts(soon(one)));
            }
        }
        assertThat(leased).containsExactlyInAnyOrderElementsOf(texts(50));
        assertThat(leased(queue, 0)).isEqualTo(50);
    }

    @Test
    void one_consumer_empties_many_partitions() {
        ItemQueue queue = unwatched(10);
        List<Integer> targets = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            targets.add(produce(queue, 5).partition());
        }
        assertThat(targets).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

        int leased = 0;
        while (leased < 50) {
            leased += lease(queue, 5).items().size();
        }
        assertThat(IntStream.range(0, 10)).allSatisfy(partition -> {
            assertThat(leased(queue, partition)).isEqualTo(5);
            assertThat(ready(queue, partition)).isZero();
        });
    }

    @Test
    void those_who_wait_at_many_partitions_share_what_comes_into_one() {
        ItemQueue queue = newQueue(config -> config.partitions(5));
        List<CompletableFuture<LeasedBatch>> waiting =
                IntStream.range(0, 5).mapToObj(i -> park(queue, 10)).toList();
        int partition = produce(queue, 10).partition();
        assertThat(waiting).allSatisfy(one -> {
            assertThat(soon(one).items()).hasSize(2);
            assertThat(soon(one).partition()).isEqualTo(partition);
        });
    }

    @Test
    void one_produce_stays_together_and_one_lease_is_of_one_partition() {
        ItemQueue queue = unwatched(3);
        for (int i = 0; i < 6; i++) {
            int partition = produce(queue, "a" + i, "b" + i, "c" + i).partition();
            assertThat(texts(stored(queue, partition))).endsWith("a" + i, "b" + i, "c" + i);
        }
        for (int i = 0; i < 3; i++) {
            LeasedBatch batch = lease(queue, 1000);
            assertThat(batch.items()).hasSize(6);
            assertThat(stored(queue, batch.partition()).stream().map(StoredItem::id))
                    .isEqualTo(batch.ids());
        }
    }

    @Test
    void each_partition_keeps_its_order() {
        ItemQueue queue = unwatched(3);
        for (String text : texts(60)) {
            produce(queue, text);
        }
        List<List<String>> byPartition = IntStream.range(0, 3)
                .<List<String>>mapToObj(i -> new ArrayList<>())
                .toList();
        for (int i = 0; i < 60; i++) {
            LeasedBatch batch = lease(queue, 1);
            byPartition.get(batch.partition()).addAll(texts(batch));
        }
        assertThat(byPartition).allSatisfy(seen -> assertThat(seen).isSorted().hasSize(20));
    }

    @Test
    void ids_of_different_partitions_are_different() {
        ItemQueue queue = newQueue(config -> config.partitions(4));
        List<LeasedItem> items = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            produce(queue, "x");
        }
        for (int i = 0; i < 4; i++) {
            items.addAll(lease(queue, 1000).items());
        }
        assertThat(items).hasSize(40).extracting(LeasedItem::id).doesNotHaveDuplicates();
    }

    @Test
    void items_are_retried_in_their_partition() {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        produce(queue, "a");
        produce(queue, "b");
        for (int i = 0; i < 2; i++) {
            LeasedBatch batch = lease(queue, 1);
            queue.retry(batch.partition(), List.of(RetryItem.now(batch.ids().get(0))));
            assertThat(texts(stored(queue, batch.partition()))).isEqualTo(texts(batch));
        }
    }

    @Test
    void what_is_completed_or_cleared_makes_room() {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        produce(queue, 10);
        produce(queue, 3);
        LeasedBatch batch = lease(queue, 10);
        assertThat(batch.partition()).isZero();
        queue.complete(batch);
        assertThat(produce(queue, 1).partition()).isZero();
    }

    @Test
    void stats_tell_each_partition_its_own() {
        ItemQueue queue = newQueue(config -> config.partitions(3));
        produce(queue, 6);
        produce(queue, 4);
        produce(queue, 2);
        assertThat(lease(queue, 5).partition()).isZero();
        assertThat(queue.admin().stats().partitions())
                .extracting(QueueStats.Partition::partition, p -> p.total(), p -> p.totalLeased())
                .containsExactly(tuple(0, 6L, 5L), tuple(1, 4L, 0L), tuple(2, 2L, 0L));
    }
}
