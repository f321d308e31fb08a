package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No single call returns or stores more than the default bounds allow. */
public class BoundsContract extends QueueContract {
    /** Four of them exceed the 16 MB of an answer, and the fourth still begins before that. */
    private static final int LARGE = 4_500_000;

    private static final int ITEMS_PAGE = 10_000;

    private static ItemQueue filled(ItemQueue queue, int items) {
        for (int i = 0; i < items; i++) {
            byte[] payload = new byte[LARGE];
            payload[0] = (byte) i;
            queue.produce(NewItem.of(payload));
        }
        return queue;
    }

    private static List<Integer> numbers(LeasedBatch batch) {
        return batch.items().stream().map(item -> (int) item.payload()[0]).toList();
    }

    @Test
    void a_lease_is_cut_by_bytes_and_the_rest_stays_ready() {
        ItemQueue queue = filled(newQueue(), 6);
        LeasedBatch first = lease(queue, 100);
        assertThat(numbers(first)).containsExactly(0, 1, 2, 3);
        LeasedBatch second = lease(queue, 100);
        assertThat(numbers(second)).containsExactly(4, 5);
        assertThat(second.items()).allMatch(item -> item.attempts() == 1);
        assertNothingToLease(queue);
    }

    @Test
    void a_page_of_items_is_cut_by_bytes_and_its_last_id_leads_on() {
        ItemQueue queue = filled(newQueue(), 6);
        List<StoredItem> first = queue.admin().list(ItemListing.of(0));
        assertThat(first).hasSize(4);
        List<StoredItem> second =
                queue.admin().list(ItemListing.of(0).from(id(first.get(3))).limit(Integer.MAX_VALUE));
        assertThat(second).extracting(item -> (int) item.payload()[0]).containsExactly(3, 4, 5);
    }

    @Test
    void a_page_of_items_is_cut_by_count_and_its_last_id_leads_on() {
        ItemQueue queue = newQueue();
        int all = ITEMS_PAGE + 2_000;
        StoredItem item = StoredItem.of(new byte[0]);
        for (int left = all; left > 0; left -= 4_000) {
            queue.admin().importItems(0, Collections.nCopies(4_000, item));
        }
        List<ItemId> seen = new ArrayList<>();
        List<StoredItem> page = queue.admin().list(ItemListing.of(0).limit(2_000_000_000));
        assertThat(page).hasSize(ITEMS_PAGE);
        page.forEach(each -> seen.add(id(each)));
        page = queue.admin().list(ItemListing.of(0).limit(2_000_000_000).from(seen.get(ITEMS_PAGE - 1)));
        assertThat(page).hasSize(2_001);
        page.stream().skip(1).forEach(each -> seen.add(id(each)));
        assertThat(seen).hasSize(all).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void an_import_of_too_many_items_is_refused() {
        ItemQueue queue = newQueue();
        List<StoredItem> items = Collections.nCopies(ITEMS_PAGE + 1, StoredItem.of(new byte[0]));
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "items is invalid; max_import_batch_size is 10000 but received 10001",
                () -> queue.admin().importItems(0, items));
        assertThat(stored(queue)).isEmpty();
    }

    @Test
    void a_delete_of_too_many_items_is_refused() {
        ItemQueue queue = newQueue();
        List<ItemId> ids = Collections.nCopies(ITEMS_PAGE + 1, UNKNOWN);
        QueueErrorCode code = QueueErrorCode.INVALID_ARGUMENT;
        assertThat(assertFails(code, () -> queue.admin().delete(0, ids)).getMessage())
                .isIn(
                        "ids is invalid; max_delete_batch_size is 10000 but received 10001",
                        "request body exceeds 250.0KiB limit");
    }

    @Test
    void a_queue_of_too_many_partitions_is_refused_and_nothing_is_stored() {
        String name = unique("wide");
        for (int partitions : IntStream.of(1_001, 32_000).toArray()) {
            assertFails(
                    QueueErrorCode.INVALID_ARGUMENT,
                    "partitions is invalid; cannot be greater than 1000",
                    () -> queues().create(QueueConfig.named(name)
                            .partitions(partitions)
                            .maxAttempts(1)));
        }
        assertThat(queues().list(new QueueListing("", name, 10)))
                .noneMatch(info -> info.name().startsWith(name));
    }

    @Test
    void a_queue_does_not_grow_beyond_the_partitions_that_are_allowed() {
        ItemQueue queue = newQueue();
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "partitions is invalid; cannot be greater than 1000",
                () -> update(queue, config -> config.partitions(1_001)));
        assertThat(queues().info(queue.name()).config().partitions()).isEqualTo(1);
    }
}
