package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operators see what lies in a partition, put items in, and take them out. */
public class StorageContract extends QueueContract {
    @Test
    void imported_items_lie_there_as_they_were_given() {
        ItemQueue queue = newQueue();
        StoredItem ready = new StoredItem(
                null,
                null,
                false,
                null,
                now().plus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.MILLIS),
                null,
                null,
                7,
                9,
                "ready@dash.com",
                "friendship",
                "yes",
                "I didn't learn anything".getBytes(StandardCharsets.UTF_8));
        StoredItem leased = new StoredItem(
                null,
                "source",
                true,
                now().plus(Duration.ofMinutes(2)).truncatedTo(ChronoUnit.MILLIS),
                now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS),
                null,
                null,
                3,
                4,
                "leased@dash.com",
                "rainbow",
                "no",
                new byte[] {0, 1, 2, -1});

        List<StoredItem> imported = queue.admin().importItems(0, List.of(leased, ready));
        assertImported(imported.get(0), leased);
        assertImported(imported.get(1), ready);
        assertThat(stored(queue)).usingRecursiveComparison().isEqualTo(imported);
        assertThat(id(imported.get(0))).isLessThan(id(imported.get(1)));
    }

    private void assertImported(StoredItem imported, StoredItem given) {
        assertThat(imported)
                .usingRecursiveComparison()
                .ignoringFields("id", "createdAt")
                .isEqualTo(given);
        assertThat(imported.id()).isNotNull();
        assertNear(imported.createdAt(), now());
    }

    @Test
    void imported_items_are_leased_in_their_order_and_counted_on_from_their_attempts() {
        ItemQueue queue = newQueue();
        List<StoredItem> imported = importTexts(queue, 3);
        LeasedBatch batch = lease(queue, 3);
        assertThat(texts(batch)).isEqualTo(texts(3));
        assertThat(batch.ids()).isEqualTo(ids(imported));
        assertThat(batch.items().stream().map(item -> item.attempts())).containsExactly(1, 2, 3);
        queue.complete(batch);
    }

    /** Imports items whose attempts are 0, 1, 2 and so on. */
    private static List<StoredItem> importTexts(ItemQueue queue, int count) {
        return queue.admin()
                .importItems(
                        0,
                        IntStream.range(0, count)
                                .mapToObj(i -> attempted(i, String.format("%04d", i)))
                                .toList());
    }

    private static StoredItem attempted(int attempts, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        return new StoredItem(null, null, false, null, null, null, null, attempts, 0, "r", "e", "k", payload);
    }

    private static List<ItemId> ids(List<StoredItem> items) {
        return items.stream().map(QueueContract::id).toList();
    }

    @Test
    void an_imported_item_without_expiry_takes_it_from_the_queue() {
        ItemQueue queue = newQueue(config -> config.expireTimeout(Duration.ofHours(3)));
        importTexts(queue, 1);
        assertNear(onlyStored(queue).expireDeadline(), now().plus(Duration.ofHours(3)));
    }

    @Test
    void an_imported_lease_ends_at_its_deadline_and_can_be_completed_before() {
        ItemQueue queue = newQueue();
        List<StoredItem> imported = queue.admin().importItems(0, List.of(leasedFor(LEASE), leasedFor(LEASE)));
        queue.complete(0, List.of(id(imported.get(0))));
        assertThat(onlyStored(queue).id()).isEqualTo(imported.get(1).id());
        outlive(LEASE);
        assertThat(awaitReady(queue).id()).isNotEqualTo(imported.get(1).id());
    }

    private StoredItem leasedFor(Duration time) {
        return new StoredItem(null, null, true, now().plus(time), null, null, null, 1, 0, "", "", "", new byte[0]);
    }

    @Test
    void ten_thousand_items_are_listed_with_all_their_fields_in_their_order() {
        ItemQueue queue = newQueue();
        List<StoredItem> imported = queue.admin()
                .importItems(
                        0,
                        IntStream.range(0, 10_000)
                                .mapToObj(i -> new StoredItem(
                                        null,
                                        "s" + i,
                                        false,
                                        null,
                                        null,
                                        null,
                                        null,
                                        i % 10,
                                        0,
                                        "r" + i,
                                        "e",
                                        "k",
                                        new byte[] {1}))
                                .toList());
        List<StoredItem> listed = queue.admin().list(ItemListing.of(0).limit(10_000));
        assertThat(ids(listed)).hasSize(10_000).isEqualTo(ids(imported)).isSorted();
        assertThat(listed.stream().map(StoredItem::reference))
                .isEqualTo(imported.stream().map(StoredItem::reference).toList());
        assertThat(listed.get(9_999)).usingRecursiveComparison().isEqualTo(imported.get(9_999));
        assertThat(stored(queue)).as("the page that is given without a limit").hasSize(1000);
    }

    @Test
    void items_are_listed_page_by_page() {
        ItemQueue queue = newQueue();
        List<ItemId> all = ids(importTexts(queue, 100));
        assertThat(page(queue, ItemListing.of(0).limit(20_000))).isEqualTo(all);
        assertThat(page(queue, ItemListing.of(0).limit(30))).isEqualTo(all.subList(0, 30));
        assertThat(page(queue, ItemListing.of(0).limit(1))).isEqualTo(all.subList(0, 1));
        assertThat(page(queue, ItemListing.of(0).from(all.get(50)).limit(1))).isEqualTo(all.subList(50, 51));
        assertThat(page(queue, ItemListing.of(0).from(all.get(50)).limit(10))).isEqualTo(all.subList(50, 60));
        assertThat(page(queue, ItemListing.of(0).from(all.get(59)).limit(10))).isEqualTo(all.subList(59, 69));
        assertThat(page(queue, ItemListing.of(0).from(all.get(95)).limit(10))).isEqualTo(all.subList(95, 100));
    }

    private static List<ItemId> page(ItemQueue queue, ItemListing listing) {
        return ids(queue.admin().list(listing));
    }

    @Test
    void a_pivot_that_is_not_there_means_the_next_after_it() {
        ItemQueue queue = newQueue();
        List<ItemId> all = ids(importTexts(queue, 10));
        assertThat(page(queue, ItemListing.of(0).from(justBefore(all.get(0))).limit(1)))
                .isEqualTo(all.subList(0, 1));
        assertThat(page(
                        queue,
                        ItemListing.of(0).from(new ItemId("0".repeat(27))).limit(2)))
                .isEqualTo(all.subList(0, 2));
        assertThat(page(queue, ItemListing.of(0).from(UNKNOWN))).isEmpty();

        queue.admin().delete(0, all.subList(4, 6));
        assertThat(page(queue, ItemListing.of(0).from(all.get(4)).limit(2))).isEqualTo(all.subList(6, 8));
    }

    /** The id that comes right before this one. */
    private static ItemId justBefore(ItemId id) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        char[] text = id.value().toCharArray();
        int last = text.length - 1;
        while (text[last] == '0') {
            text[last--] = 'z';
        }
        text[last] = digits.charAt(digits.indexOf(text[last]) - 1);
        return new ItemId(new String(text));
    }

    @Test
    void deleted_items_are_gone_and_can_be_deleted_again() {
        ItemQueue queue = newQueue();
        List<ItemId> all = ids(importTexts(queue, 2000));
        queue.admin().delete(0, all.subList(0, 1000));
        assertThat(page(queue, ItemListing.of(0).limit(5000))).isEqualTo(all.subList(1000, 2000));
        queue.admin().delete(0, all.subList(0, 1000));
        queue.admin().delete(0, List.of(UNKNOWN, all.get(1999)));
        assertThat(page(queue, ItemListing.of(0).limit(5000))).isEqualTo(all.subList(1000, 1999));
    }

    @Test
    void leased_items_can_be_deleted() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b");
        ItemId leased = leaseOne(queue).id();
        queue.admin().delete(0, List.of(leased));
        assertThat(texts(stored(queue))).containsExactly("b");
    }

    @Test
    void a_lease_that_waits_is_answered_by_an_import() {
        ItemQueue queue = newQueue();
        var waiting = park(queue, 2);
        importTexts(queue, 2);
        assertThat(texts(soon(waiting))).isEqualTo(texts(2));
    }

    @Test
    void a_source_id_is_kept_and_is_absent_where_none_was_given() {
        ItemQueue queue = newQueue();
        queue.admin().importItems(0, List.of(sourced("source-1", "a"), StoredItem.of(new byte[0])));
        assertThat(stored(queue).stream().map(item -> Optional.ofNullable(item.sourceId())))
                .containsExactly(Optional.of("source-1"), Optional.empty());
    }

    private static StoredItem sourced(String sourceId, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        return new StoredItem(null, sourceId, false, null, null, null, null, 0, 0, "", "", "", payload);
    }

    @Test
    void an_item_whose_source_id_is_there_already_is_left_out() {
        ItemQueue queue = newQueue();
        queue.admin().importItems(0, List.of(sourced("one", "first")));
        List<StoredItem> imported =
                queue.admin().importItems(0, List.of(sourced("one", "again"), sourced("two", "second")));
        assertThat(imported).hasSize(2);
        assertThat(imported.get(0).id()).isNull();
        assertThat(imported.get(1).id()).isNotNull();
        assertThat(texts(stored(queue))).containsExactly("first", "second");
    }

    @Test
    void a_source_id_that_comes_twice_in_one_import_is_taken_once() {
        ItemQueue queue = newQueue();
        queue.admin().importItems(0, List.of(sourced("one", "first"), sourced("one", "again")));
        assertThat(texts(stored(queue))).containsExactly("first");
    }

    @Test
    void a_source_id_is_free_again_when_its_item_is_completed() {
        ItemQueue queue = newQueue();
        queue.admin().importItems(0, List.of(sourced("one", "first")));
        queue.complete(lease(queue, 1));
        queue.admin().importItems(0, List.of(sourced("one", "again")));
        assertThat(texts(stored(queue))).containsExactly("again");
    }

    @Test
    void source_ids_of_different_partitions_do_not_meet() {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        queue.admin().importItems(0, List.of(sourced("one", "here")));
        queue.admin().importItems(1, List.of(sourced("one", "there")));
        assertThat(texts(stored(queue, 0))).containsExactly("here");
        assertThat(texts(stored(queue, 1))).containsExactly("there");
    }
}
