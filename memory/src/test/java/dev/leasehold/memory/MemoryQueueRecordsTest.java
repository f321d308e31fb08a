package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The records of queues, stale callers, and listeners. */
class MemoryQueueRecordsTest extends QueueStoreTests {
    private static final List<String> STORES = List.of("memory", "memory");

    @Test
    void a_queue_is_created_once() {
        QueueConfig config = QueueConfig.named("new").reference("ref");
        QueueRecord record = records.create(config, STORES).join().orElseThrow();
        assertThat(record.info().config()).isEqualTo(config);
        assertThat(record.info().createdAt()).isEqualTo(now());
        assertThat(record.info().updatedAt()).isEqualTo(now());
        assertThat(record.stores()).isEqualTo(STORES);
        assertThat(records.create(config, STORES).join()).isEmpty();
        assertThat(records.get("new").join()).contains(record);
        assertThat(records.get("no").join()).isEmpty();
    }

    @Test
    void uids_are_positive_all_different_and_begin_with_the_time() {
        Set<Long> uids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            QueueRecord record = create(QueueConfig.named("queue-" + i));
            assertThat(record.uid() >>> 32).isEqualTo(300_000_000);
            uids.add(record.uid());
        }
        assertThat(uids).hasSize(10_000).allMatch(uid -> uid > 0);
        nowMs.set(0);
        assertThat(create(QueueConfig.named("before-2014")).uid()).isPositive();
    }

    @Test
    void an_update_makes_a_new_version_of_the_same_queue() {
        List<ItemId> ids = produce("a");
        advance(Duration.ofSeconds(5));
        QueueRecord before = queue.queue();
        QueueConfig config = before.info().config().maxAttempts(9);
        QueueRecord after = records.update(before, config, STORES).join().orElseThrow();
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.version()).isGreaterThan(before.version());
        assertThat(after.info().config()).isEqualTo(config);
        assertThat(after.info().createdAt()).isEqualTo(before.info().createdAt());
        assertThat(after.info().updatedAt()).isEqualTo(now());
        assertThat(after.stores()).isEqualTo(STORES);
        assertThat(records.get("queue").join()).contains(after);
        assertThat(ids(list(after.partition(0)))).isEqualTo(ids);
    }

    @Test
    void only_the_current_version_can_be_updated() {
        QueueRecord before = queue.queue();
        QueueConfig config = before.info().config();
        QueueRecord after = records.update(before, config, STORES).join().orElseThrow();
        assertThat(records.update(before, config, STORES).join()).isEmpty();
        assertThat(records.delete("queue").join()).isTrue();
        assertThat(records.update(after, config, STORES).join()).isEmpty();
        assertThat(records.get("queue").join()).isEmpty();
    }

    @Test
    void versions_grow_over_all_queues() {
        long first = create(QueueConfig.named("first")).version();
        QueueRecord second = create(QueueConfig.named("second"));
        records.delete("first").join();
        long again = create(QueueConfig.named("first")).version();
        long updated = records.update(second, second.info().config(), STORES)
                .join()
                .orElseThrow()
                .version();
        assertThat(List.of(first, second.version(), again, updated)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void deleting_takes_the_items_too() {
        produce("a");
        assertThat(records.delete("queue").join()).isTrue();
        assertThat(records.delete("queue").join()).isFalse();
        QueueRecord again = create(queue.queue().info().config());
        assertThat(again.uid()).isNotEqualTo(queue.queue().uid());
        assertThat(list(again.partition(0))).isEmpty();
    }

    @Test
    void a_caller_who_knows_another_version_is_refused_whatever_it_asks() {
        produce("a");
        QueueRecord now = records.update(queue.queue(), queue.queue().info().config(), STORES)
                .join()
                .orElseThrow();
        assertAllRefused(queue);
        assertThat(texts(list(now.partition(0)))).containsExactly("a");

        records.delete("queue").join();
        assertAllRefused(now.partition(0));
        QueueRecord again = create(now.info().config());
        assertAllRefused(now.partition(0));
        assertAllRefused(new QueueRecord(again.info(), now.uid(), again.version(), STORES).partition(0));
        assertThat(list(again.partition(0))).isEmpty();
    }

    private void assertAllRefused(PartitionRef stale) {
        List<ItemId> none = List.of();
        Stream<Function<PartitionRef, CompletableFuture<?>>> calls = Stream.of(
                ref -> items.produce(ref, List.of(NewItem.of("b"))),
                ref -> items.lease(ref, Portion.of(1)),
                ref -> items.complete(ref, none),
                ref -> items.retry(ref, null, List.of()),
                ref -> items.extend(ref, none, LEASE),
                ref -> items.giveBack(ref, none),
                ref -> items.list(ref, false, null, Portion.of(1)),
                ref -> items.importItems(ref, List.of(StoredItem.of(new byte[0]))),
                ref -> items.delete(ref, none),
                ref -> items.clear(ref, new ClearRequest(true, true, true)),
                ref -> items.count(ref),
                ref -> items.look(List.of(dead, ref)),
                ref -> items.sweep(ref, null));
        calls.forEach(call -> assertRefused(call.apply(stale), StaleQueueException.class));
    }

    @Test
    void a_dead_queue_that_has_changed_refuses_too_and_nothing_is_done() {
        produce("a");
        ItemId id = leaseOne();
        records.update(dead.queue(), dead.queue().info().config(), STORES).join();
        assertRefused(items.retry(queue, dead, List.of(RetryItem.dead(id))), StaleQueueException.class);
        advance(EXPIRE.plus(MS));
        assertRefused(items.sweep(queue, dead), StaleQueueException.class);
        assertThat(ids(list(queue))).containsExactly(id);
    }

    @Test
    void queues_are_listed_by_namespace_in_the_byte_order_of_their_names() {
        String lastInBytes = "\ud83d\ude00";
        for (String name : List.of("b", lastInBytes, "a", "B", "\uffee", "\u00e9", "a-")) {
            create(QueueConfig.named(name).namespace("mine"));
            create(QueueConfig.named("x" + name).namespace("others"));
        }
        assertThat(names("mine", "", 0)).containsExactly("B", "a", "a-", "b", "\u00e9", "\uffee", lastInBytes);
        assertThat(names("mine", "", 2)).containsExactly("B", "a");
        assertThat(names("mine", "a-", 2)).containsExactly("a-", "b");
        assertThat(names("mine", "aa", 2)).containsExactly("b", "\u00e9");
        assertThat(names("mine", "\uffef", 0)).containsExactly(lastInBytes);
        assertThat(names("mine", "\ud83d\ude01", 0)).isEmpty();
        assertThat(names("nobody", "", 0)).isEmpty();
        assertThat(names("", "", 0)).containsExactly("dead", "queue");
    }

    private List<String> names(String namespace, String pivot, int limit) {
        return records.list(new QueueListing(namespace, pivot, limit)).join().stream()
                .map(QueueRecord::name)
                .toList();
    }

    @Test
    void all_queues_can_be_paged_through() {
        create(QueueConfig.named("a").namespace("other"));
        assertThat(records.all("", 2).join()).extracting(QueueRecord::name).containsExactly("a", "dead");
        assertThat(records.all("dead", 2).join()).extracting(QueueRecord::name).containsExactly("queue");
        assertThat(records.all("queue", 2).join()).isEmpty();
    }

    @Test
    void nodes_share_items_and_notify_each_other_until_they_are_closed() {
        ItemStore other = store.items();
        List<String> heard = new ArrayList<>();
        items.subscribe((uid, partition) -> heard.add("one " + uid + " " + partition));
        items.subscribe((uid, partition) -> {
            throw new IllegalStateException("broken listener");
        });
        other.subscribe((uid, partition) -> heard.add("other " + uid + " " + partition));
        long uid = queue.queue().uid();

        other.publish(List.of(queue, queue.queue().partition(3)));
        assertThat(heard)
                .containsExactlyInAnyOrder(
                        "one " + uid + " 0", "other " + uid + " 0", "one " + uid + " 3", "other " + uid + " 3");
        heard.clear();
        other.close();
        other.close();
        items.publish(List.of(queue));
        assertThat(heard).containsExactly("one " + uid + " 0");
        produce("a");
        assertThat(store.items().lease(queue, Portion.of(1)).join().items()).hasSize(1);
    }

    @Test
    void a_listener_may_use_the_store_from_another_thread() {
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        items.subscribe((uid, partition) -> ready.complete(
                CompletableFuture.supplyAsync(() -> list(queue).size()).join()));
        produce("a");
        items.publish(List.of(queue));
        assertThat(ready).isCompletedWithValue(1);
    }
}
