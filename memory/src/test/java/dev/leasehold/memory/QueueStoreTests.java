package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.QueueRecords;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** A store with a clock that stands still, a queue with leases of a minute and items for an hour, and its dead queue. */
abstract class QueueStoreTests {
    static final Duration LEASE = Duration.ofMinutes(1);
    static final Duration EXPIRE = Duration.ofHours(1);
    static final Duration MS = Duration.ofMillis(1);
    static final int MAX_ATTEMPTS = 2;

    final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    final MemoryQueueStore store = new MemoryQueueStore(nowMs::get);
    final QueueRecords records = store.records();
    final ItemStore items = store.items();

    PartitionRef dead;
    PartitionRef queue;

    @BeforeEach
    void createQueues() {
        dead = create(QueueConfig.named("dead").expireTimeout(Duration.ofDays(7)))
                .partition(0);
        queue = create(QueueConfig.named("queue")
                        .leaseTimeout(LEASE)
                        .expireTimeout(EXPIRE)
                        .maxAttempts(MAX_ATTEMPTS)
                        .deadQueue("dead"))
                .partition(0);
    }

    QueueRecord create(QueueConfig config) {
        return records.create(config, List.of(MemoryQueueStore.NAME)).join().orElseThrow();
    }

    Instant now() {
        return Instant.ofEpochMilli(nowMs.get());
    }

    void advance(Duration by) {
        nowMs.addAndGet(by.toMillis());
    }

    List<ItemId> produce(String... texts) {
        return items.produce(queue, Stream.of(texts).map(NewItem::of).toList()).join();
    }

    List<LeasedItem> lease(int limit) {
        return items.lease(queue, Portion.of(limit)).join().items();
    }

    ItemId leaseOne() {
        return lease(1).get(0).id();
    }

    List<StoredItem> list(PartitionRef partition) {
        return items.list(partition, false, null, Portion.of(1000)).join();
    }

    List<StoredItem> scheduled() {
        return items.list(queue, true, null, Portion.of(1000)).join();
    }

    static List<ItemId> ids(List<StoredItem> items) {
        return items.stream().map(StoredItem::id).toList();
    }

    static List<String> texts(List<StoredItem> items) {
        return items.stream()
                .map(item -> new String(item.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<String> leasedTexts(List<LeasedItem> items) {
        return items.stream().map(LeasedItem::text).toList();
    }

    static void assertUnknown(CompletableFuture<?> call, ItemId id) {
        assertFails(call, QueueErrorCode.NO_SUCH_ITEM, "invalid storage id; '" + id + "' does not exist");
    }

    static void assertFails(CompletableFuture<?> call, QueueErrorCode code, String message) {
        assertThat(call)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(code))
                .withMessage(message);
    }

    static void assertRefused(CompletableFuture<?> call, Class<? extends QueueException> type) {
        assertThat(call.handle((value, failure) -> failure instanceof CompletionException e ? e.getCause() : failure)
                        .join())
                .isInstanceOf(type);
    }
}
