package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Counts;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.ItemStore.Outlook;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What callers do to items, transition by transition. */
class MemoryQueueStoreTest extends QueueStoreTests {
    private static final byte[] PAYLOAD = {0, 1, -1};

    @Test
    void produced_items_lie_as_they_were_produced() {
        NewItem item = new NewItem(PAYLOAD, "enc", "kind", "ref", When.now());
        ItemId id = items.produce(queue, List.of(item)).join().get(0);
        StoredItem stored = list(queue).get(0);
        assertThat(stored)
                .isEqualTo(new StoredItem(
                        id, null, false, null, now().plus(EXPIRE), now(), null, 0, 0, "ref", "enc", "kind", PAYLOAD));
        assertThat(stored.payload()).containsExactly(0, 1, -1);
    }

    @Test
    void ids_are_made_of_the_queue_the_partition_and_numbers_from_one() {
        List<ItemId> ids = produce("a", "b");
        long uid = queue.queue().uid();
        assertThat(ids).extracting(ItemId::value).containsExactly(Ksuid.encode(uid, 0, 1), Ksuid.encode(uid, 0, 2));
    }

    @Test
    void partitions_count_on_their_own() {
        PartitionRef second = queue.queue().partition(1);
        produce("a");
        ItemId id = items.produce(second, List.of(NewItem.of("b"))).join().get(0);
        assertThat(id.value()).isEqualTo(Ksuid.encode(queue.queue().uid(), 1, 1));
        assertThat(texts(list(second))).containsExactly("b");
        assertUnknown(items.complete(queue, List.of(id)), id);
    }

    @Test
    void what_is_due_in_less_than_100_ms_is_ready_and_from_then_on_scheduled() {
        items.produce(
                        queue,
                        List.of(
                                NewItem.of("past").when(When.at(now().minusSeconds(60))),
                                NewItem.of("99").when(When.at(now().plusMillis(99))),
                                NewItem.of("99.999999").when(When.after(Duration.ofNanos(99_999_999))),
                                NewItem.of("100").when(When.at(now().plusMillis(100))),
                                NewItem.of("after 100").when(When.after(Duration.ofMillis(100))),
                                NewItem.of("never").when(When.at(Instant.MAX).lenient()),
                                NewItem.of("never")
                                        .when(When.after(Duration.ofSeconds(Long.MAX_VALUE))
                                                .lenient()),
                                NewItem.of("long ago").when(When.after(Duration.ofSeconds(Long.MIN_VALUE)))))
                .join();
        assertThat(texts(list(queue))).containsExactly("past", "99", "99.999999", "long ago");
        assertThat(texts(scheduled())).containsExactly("100", "after 100", "never", "never");
        assertThat(scheduled().get(0).enqueueAt()).isEqualTo(now().plusMillis(100));
        assertThat(scheduled().get(0).expireDeadline()).isEqualTo(now().plus(EXPIRE));
        assertThat(leasedTexts(lease(9))).hasSize(4).doesNotContain("100");
    }

    @Test
    void a_lease_takes_the_oldest_and_counts_the_attempt() {
        List<ItemId> ids = produce("a", "b", "c");
        List<LeasedItem> leased = lease(2);
        assertThat(leased).extracting(LeasedItem::id).containsExactlyElementsOf(ids.subList(0, 2));
        assertThat(leased).allSatisfy(item -> {
            assertThat(item.attempts()).isEqualTo(1);
            assertThat(item.leaseDeadline()).isEqualTo(now().plus(LEASE));
        });
        assertThat(list(queue)).extracting(StoredItem::isLeased).containsExactly(true, true, false);
        assertThat(list(queue).get(0).leaseDeadline()).isEqualTo(now().plus(LEASE));
        assertThat(list(queue).get(0).attempts()).isEqualTo(1);
        assertThat(leasedTexts(lease(2))).containsExactly("c");
        assertThat(lease(2)).isEmpty();
    }

    @Test
    void a_lease_passes_over_items_whose_time_is_over() {
        produce("old");
        advance(MS);
        produce("young");
        advance(EXPIRE.minus(MS));
        assertThat(items.look(List.of(queue)).join().get(0).ready()).isEqualTo(2);
        advance(MS);
        assertThat(items.look(List.of(queue)).join()).containsExactly(new Outlook(1, Duration.ZERO));
        assertThat(leasedTexts(lease(2))).containsExactly("young");
    }

    @Test
    void a_lease_that_brings_nothing_says_when_to_come_again() {
        assertThat(items.lease(queue, Portion.of(1)).join()).isEqualTo(Leased.NOTHING);
        produce("a");
        assertThat(items.lease(queue, Portion.of(1)).join().nextDue()).isNull();
        assertThat(items.lease(queue, Portion.of(1)).join().nextDue()).isEqualTo(LEASE);
        advance(Duration.ofSeconds(20));
        assertThat(items.lease(queue, Portion.of(1)).join().nextDue()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void completed_items_are_gone() {
        List<ItemId> ids = produce("a", "b", "c");
        lease(2);
        items.complete(queue, List.of(ids.get(1), ids.get(0), ids.get(1))).join();
        assertThat(ids(list(queue))).containsExactly(ids.get(2));
        assertUnknown(items.complete(queue, List.of(ids.get(0))), ids.get(0));
    }

    @Test
    void an_ended_lease_can_be_completed_extended_and_retried_until_somebody_sweeps() {
        List<ItemId> ids = produce("a", "b", "c");
        lease(3);
        advance(LEASE.plus(EXPIRE));
        assertThat(items.extend(queue, List.of(ids.get(0)), LEASE)).isCompleted();
        assertThat(items.complete(queue, List.of(ids.get(1)))).isCompleted();
        assertThat(items.retry(queue, null, List.of(RetryItem.now(ids.get(2))))).isCompleted();
    }

    @Test
    void complete_retry_and_extend_do_nothing_at_all_if_one_id_is_wrong() {
        List<ItemId> ids = produce("leased", "ready", "gone");
        items.delete(queue, List.of(ids.get(2))).join();
        leaseOne();
        List<StoredItem> before = list(queue);
        assertNotLeased(items.complete(queue, ids), "completed", ids.get(1));
        assertNotLeased(items.extend(queue, ids, LEASE), "extended", ids.get(1));
        assertNotLeased(items.retry(queue, dead, now(ids)), "retried", ids.get(1));

        List<ItemId> unknownFirst = List.of(ids.get(0), ids.get(2), ids.get(1));
        assertUnknown(items.complete(queue, unknownFirst), ids.get(2));
        assertUnknown(items.extend(queue, unknownFirst, LEASE), ids.get(2));
        assertUnknown(items.retry(queue, dead, now(unknownFirst)), ids.get(2));
        assertThat(list(queue)).isEqualTo(before);
        assertThat(list(dead)).isEmpty();
    }

    private static List<RetryItem> now(List<ItemId> ids) {
        return ids.stream().map(RetryItem::now).toList();
    }

    private static void assertNotLeased(CompletableFuture<?> call, String verb, ItemId id) {
        assertFails(
                call,
                QueueErrorCode.NOT_LEASED,
                "item(s) cannot be " + verb + "; '" + id + "' is not marked as leased");
    }

    @Test
    void scheduled_items_and_ids_of_elsewhere_do_not_exist_for_complete_retry_and_extend() {
        NewItem later = NewItem.of("later").when(When.after(LEASE));
        ItemId scheduled = items.produce(queue, List.of(later)).join().get(0);
        ItemId foreign = items.produce(dead, List.of(later)).join().get(0);
        for (ItemId id : List.of(scheduled, foreign, new ItemId("0".repeat(27)))) {
            assertUnknown(items.complete(queue, List.of(id)), id);
            assertUnknown(items.extend(queue, List.of(id), LEASE), id);
            assertUnknown(items.retry(queue, dead, List.of(RetryItem.dead(id))), id);
            assertThat(items.giveBack(queue, List.of(id))).isCompleted();
        }
        assertThat(ids(scheduled())).containsExactly(scheduled);
    }

    @Test
    void an_extension_counts_from_now() {
        List<ItemId> ids = produce("a", "b");
        lease(2);
        advance(Duration.ofSeconds(30));
        Instant deadline = items.extend(queue, List.of(ids.get(0), ids.get(0)), Duration.ofSeconds(10))
                .join();
        assertThat(deadline).isEqualTo(now().plusSeconds(10));
        assertThat(list(queue)).extracting(StoredItem::leaseDeadline).containsExactly(deadline, now().plusSeconds(30));
        assertThat(list(queue).get(0).attempts()).isEqualTo(1);
    }

    @Test
    void items_given_back_are_as_they_were() {
        List<ItemId> ids = produce("a", "b", "c");
        List<StoredItem> before = list(queue);
        lease(2);
        List<ItemId> all = new ArrayList<>(ids);
        all.add(ids.get(0));
        items.giveBack(queue, all).join();
        assertThat(list(queue)).usingRecursiveComparison().ignoringFields("id").isEqualTo(before);
        assertThat(ids(list(queue)).get(0).value())
                .isEqualTo(Ksuid.encode(queue.queue().uid(), 0, 1, 1));
        assertThat(ids(list(queue)).get(2)).isEqualTo(ids.get(2));
        assertThat(leasedTexts(lease(3))).containsExactly("a", "b", "c");
    }

    @Test
    void the_count_of_give_backs_begins_anew_after_65535() {
        produce("a");
        for (int i = 0; i < 65_536; i++) {
            items.giveBack(queue, List.of(leaseOne())).join();
        }
        assertThat(ids(list(queue)).get(0).value())
                .isEqualTo(Ksuid.encode(queue.queue().uid(), 0, 1, 0));
    }

    @Test
    void deleting_takes_whatever_is_there() {
        List<ItemId> ids = produce("leased", "ready", "kept");
        leaseOne();
        ItemId scheduled = items.produce(queue, List.of(NewItem.of("s").when(When.after(LEASE))))
                .join()
                .get(0);
        List<ItemId> some = List.of(ids.get(1), scheduled, ids.get(0), ids.get(1));
        items.delete(queue, some).join();
        items.delete(queue, some).join();
        assertThat(texts(list(queue))).containsExactly("kept");
        assertThat(scheduled()).isEmpty();
    }

    @Test
    void clearing_takes_what_it_was_told() {
        assertThat(leftAfter(new ClearRequest(true, false, false))).containsExactly("leased", "scheduled");
        assertThat(leftAfter(new ClearRequest(true, false, true))).containsExactly("scheduled");
        assertThat(leftAfter(new ClearRequest(false, true, false))).containsExactly("leased", "ready");
        assertThat(leftAfter(new ClearRequest(false, true, true))).containsExactly("leased", "ready");
        assertThat(leftAfter(new ClearRequest(true, true, false))).containsExactly("leased");
        assertThat(leftAfter(new ClearRequest(true, true, true))).isEmpty();
    }

    private List<String> leftAfter(ClearRequest request) {
        items.clear(queue, new ClearRequest(true, true, true)).join();
        produce("leased", "ready");
        leaseOne();
        items.produce(queue, List.of(NewItem.of("scheduled").when(When.after(LEASE))))
                .join();
        items.clear(queue, request).join();
        List<String> left = new ArrayList<>(texts(list(queue)));
        left.addAll(texts(scheduled()));
        return left;
    }

    @Test
    void a_list_begins_at_the_pivot_or_after_it() {
        List<ItemId> ids = produce("a", "b", "c", "d");
        lease(1);
        items.delete(queue, List.of(ids.get(1))).join();
        assertThat(listFrom(null, 2)).containsExactly("a", "c");
        assertThat(listFrom(ids.get(0), 9)).containsExactly("a", "c", "d");
        assertThat(listFrom(ids.get(1), 1)).containsExactly("c");
        assertThat(listFrom(ids.get(3), 9)).containsExactly("d");
        assertThat(listFrom(new ItemId("0".repeat(27)), 9)).containsExactly("a", "c", "d");
        assertThat(listFrom(new ItemId("aWgEPTl1tmebfsQzFP4bxwgy80V"), 9)).isEmpty();
        assertThat(listFrom(new ItemId(Ksuid.encode(queue.queue().uid(), 0, 99)), 9))
                .isEmpty();
        assertThat(listFrom(new ItemId(Ksuid.encode(queue.queue().uid(), 1, 0)), 9))
                .isEmpty();
    }

    private List<String> listFrom(@Nullable ItemId pivot, int limit) {
        return texts(items.list(queue, false, pivot, Portion.of(limit)).join());
    }

    @Test
    void scheduled_items_are_listed_in_the_order_of_production() {
        List<NewItem> later = List.of(
                NewItem.of("in 3 s").when(When.after(Duration.ofSeconds(3))),
                NewItem.of("now"),
                NewItem.of("in 2 s").when(When.after(Duration.ofSeconds(2))));
        List<ItemId> ids = items.produce(queue, later).join();
        assertThat(texts(scheduled())).containsExactly("in 3 s", "in 2 s");
        assertThat(texts(items.list(queue, true, ids.get(1), Portion.of(9)).join()))
                .containsExactly("in 2 s");
    }

    @Test
    void counts_are_exact() {
        assertThat(items.count(queue).join()).isEqualTo(new Counts(0, 0, 0, Duration.ZERO, Duration.ZERO, null));
        produce("a");
        advance(Duration.ofSeconds(10));
        produce("b");
        items.produce(queue, List.of(NewItem.of("s").when(When.after(LEASE)))).join();
        leaseOne();
        advance(Duration.ofSeconds(4));
        assertThat(items.count(queue).join())
                .isEqualTo(new Counts(2, 1, 1, Duration.ofSeconds(9), Duration.ofSeconds(56), Duration.ofSeconds(4)));
    }

    @Test
    void an_outlook_tells_what_is_ready_and_what_is_next_for_each_partition_asked_for() {
        produce("a", "b");
        leaseOne();
        assertThat(items.look(List.of(dead, queue, queue.queue().partition(7))).join())
                .containsExactly(new Outlook(0, null), new Outlook(1, LEASE), new Outlook(0, null));
    }

    @Test
    void deadlines_without_end_do_not_overflow() {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        queue = create(QueueConfig.named("forever").expireTimeout(forever).leaseTimeout(QueueConfig.NEVER))
                .partition(0);
        produce("a");
        assertThat(items.extend(queue, List.of(leaseOne()), forever).join()).isEqualTo(Deadlines.FAR);
        assertThat(list(queue).get(0).expireDeadline()).isEqualTo(Deadlines.FAR);
        assertThat(items.sweep(queue, null).join().nextDue()).isEqualTo(Duration.between(now(), Deadlines.FAR));
    }
}
