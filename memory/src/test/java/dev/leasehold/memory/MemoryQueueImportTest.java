package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Importing, and source ids, of which a partition has none twice. */
class MemoryQueueImportTest extends QueueStoreTests {
    private static final byte[] PAYLOAD = {7};
    private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.000000789Z");

    @Test
    void items_are_imported_as_they_are_under_new_ids() {
        Instant expire = now().plusSeconds(5);
        StoredItem leased = new StoredItem(
                null, "source", true, LONG_AGO, expire, LONG_AGO, LONG_AGO, 4, 9, "ref", "enc", "kind", PAYLOAD);
        StoredItem ready = StoredItem.of(PAYLOAD);
        List<StoredItem> stored =
                items.importItems(queue, List.of(leased, ready)).join();

        assertThat(stored).isEqualTo(list(queue));
        assertThat(ids(stored)).doesNotContainNull().isSorted();
        assertThat(stored.get(0))
                .isEqualTo(new StoredItem(
                        stored.get(0).id(),
                        "source",
                        true,
                        LONG_AGO,
                        expire,
                        now(),
                        null,
                        4,
                        9,
                        "ref",
                        "enc",
                        "kind",
                        PAYLOAD));
        assertThat(stored.get(1).expireDeadline()).isEqualTo(now().plus(EXPIRE));
        assertThat(stored.get(1).createdAt()).isEqualTo(now());
        assertThat(stored.get(1).isLeased()).isFalse();
    }

    @Test
    void the_id_that_an_imported_item_says_is_ignored() {
        ItemId id = produce("a").get(0);
        StoredItem copy = items.importItems(queue, list(queue)).join().get(0);
        assertThat(copy.id()).isNotEqualTo(id);
        assertThat(ids(list(queue))).containsExactly(id, copy.id());
    }

    @Test
    void a_deadline_counts_only_for_leased_items_and_is_set_for_them_if_missing() {
        StoredItem leased = new StoredItem(null, null, true, null, null, null, null, 1, 0, "", "", "", PAYLOAD);
        StoredItem ready = new StoredItem(null, null, false, LONG_AGO, null, null, null, 1, 0, "", "", "", PAYLOAD);
        assertThat(items.importItems(queue, List.of(leased, ready)).join())
                .extracting(StoredItem::leaseDeadline)
                .containsExactly(now().plus(LEASE), null);
    }

    @Test
    void imported_leases_can_be_completed_and_end() {
        StoredItem leased = new StoredItem(null, null, true, null, null, null, null, 1, 0, "", "", "", PAYLOAD);
        List<StoredItem> stored =
                items.importItems(queue, List.of(leased, leased)).join();
        assertThat(items.complete(queue, List.of(ids(stored).get(0)))).isCompleted();
        advance(LEASE.plus(MS));
        assertThat(items.sweep(queue, dead).join().ready()).isEqualTo(1);
        assertThat(lease(9)).extracting(LeasedItem::attempts).containsExactly(2);
    }

    @Test
    void an_item_whose_source_id_is_there_is_left_out() {
        List<StoredItem> stored = items.importItems(queue, List.of(from("x"), from("y"), from("x"), from(null)))
                .join();
        assertThat(stored).extracting(StoredItem::sourceId).containsExactly("x", "y", "x", null);
        assertThat(stored.get(2).id()).isNull();
        assertThat(ids(list(queue)))
                .containsExactly(
                        stored.get(0).id(), stored.get(1).id(), stored.get(3).id());
        assertThat(items.importItems(queue, List.of(from("y"))).join().get(0).id())
                .isNull();
        assertThat(items.importItems(queue.queue().partition(1), List.of(from("y")))
                        .join()
                        .get(0)
                        .id())
                .as("in another partition")
                .isNotNull();
    }

    @Test
    void items_without_a_source_id_are_never_left_out() {
        assertThat(items.importItems(queue, List.of(from(null), from(null), from(""), from("")))
                        .join())
                .extracting(StoredItem::id)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(list(queue)).extracting(StoredItem::sourceId).containsOnlyNulls();
    }

    @Test
    void a_source_id_is_free_again_when_its_item_is_gone_but_not_when_it_moved() {
        items.importItems(queue, List.of(from("x"))).join();
        ItemId id = leaseOne();
        assertLeftOut("x");
        advance(LEASE.plus(MS));
        items.sweep(queue, dead).join();
        assertThat(ids(list(queue))).doesNotContain(id);
        assertLeftOut("x");
        items.complete(queue, List.of(leaseOne())).join();
        assertThat(items.importItems(queue, List.of(from("x"))).join().get(0).id())
                .isNotNull();
    }

    private void assertLeftOut(String sourceId) {
        assertThat(items.importItems(queue, List.of(from(sourceId))).join())
                .extracting(StoredItem::id)
                .containsOnlyNulls();
    }

    private static StoredItem from(@Nullable String sourceId) {
        return new StoredItem(null, sourceId, false, null, null, null, null, 0, 0, "", "", "", PAYLOAD);
    }

    @Test
    void items_whose_time_was_over_before_are_swept() {
        StoredItem old = new StoredItem(null, null, false, null, LONG_AGO, null, null, 0, 0, "", "", "", PAYLOAD);
        items.importItems(queue, List.of(old)).join();
        assertThat(lease(1)).isEmpty();
        assertThat(items.look(List.of(queue)).join().get(0).nextDue()).isEqualTo(Duration.ZERO);
        assertThat(items.sweep(queue, dead).join().dead()).isEqualTo(1);
    }
}
