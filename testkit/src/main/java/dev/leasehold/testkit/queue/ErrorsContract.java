package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong calls to a queue are refused in words that clients can rely on, and change nothing. */
public class ErrorsContract extends QueueContract {
    private static final List<ItemId> IDS = List.of(UNKNOWN);

    private static void assertInvalid(String message, ThrowingCallable call) {
        assertFails(QueueErrorCode.INVALID_ARGUMENT, message, call);
    }

    /** Every verb of a queue, once. */
    private Stream<ThrowingCallable> everyUseOf(Supplier<ItemQueue> queue) {
        return Stream.of(
                () -> produce(queue.get(), "a"),
                () -> queue.get().lease(request(1).timeout(BRIEFLY)),
                () -> queue.get().complete(0, IDS),
                () -> queue.get().retry(0, List.of(RetryItem.now(UNKNOWN))),
                () -> queue.get().extend(0, IDS, LEASE),
                () -> queue.get().giveBack(0, IDS),
                () -> stored(queue.get()),
                () -> scheduled(queue.get()),
                () -> queue.get().admin().importItems(0, List.of(StoredItem.of(new byte[0]))),
                () -> queue.get().admin().delete(0, IDS),
                () -> queue.get().admin().clear(new ClearRequest(true, true, true)),
                () -> queue.get().admin().stats(),
                () -> queue.get().admin().reload());
    }

    @Test
    void a_queue_that_does_not_exist_is_told_by_every_verb() {
        String name = unique("missing");
        everyUseOf(() -> queues().queue(name))
                .forEach(use -> assertFails(
                        QueueErrorCode.NO_SUCH_QUEUE, "queue does not exist; no such queue named '" + name + "'", use));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " \t\n "})
    void a_blank_name_is_refused_by_every_verb(String name) {
        everyUseOf(() -> queues().queue(name))
                .forEach(use -> assertInvalid("queue name is invalid; queue name cannot be empty", use));
    }

    @Test
    void a_name_with_a_tilde_is_refused_by_every_verb() {
        everyUseOf(() -> queues().queue("invalid~queue"))
                .forEach(use ->
                        assertInvalid("queue name is invalid; 'invalid~queue' cannot contain '~' character", use));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 500, 65_234})
    void a_partition_that_is_not_there_is_refused_by_every_verb(int partition) {
        ItemQueue queue = newQueue(config -> config.partitions(2));
        Stream.<ThrowingCallable>of(
                        () -> queue.complete(partition, IDS),
                        () -> queue.retry(partition, List.of(RetryItem.now(UNKNOWN))),
                        () -> queue.extend(partition, IDS, LEASE),
                        () -> queue.giveBack(partition, IDS),
                        () -> queue.admin().list(ItemListing.of(partition)),
                        () -> queue.admin().listScheduled(ItemListing.of(partition)),
                        () -> queue.admin().importItems(partition, List.of(StoredItem.of(new byte[0]))),
                        () -> queue.admin().delete(partition, IDS))
                .forEach(use ->
                        assertInvalid("partition is invalid; '" + partition + "' is not a valid partition", use));
    }

    @Test
    void lists_that_are_empty_are_refused() {
        ItemQueue queue = newQueue();
        assertInvalid("items cannot be empty; at least one item is required", queue::produce);
        assertInvalid("items cannot be empty; at least one item is required", () -> ProduceRequest.of(List.of()));
        assertInvalid("ids is invalid; list of ids cannot be empty", () -> queue.complete(0, List.of()));
        assertInvalid("ids is invalid; list of ids cannot be empty", () -> queue.extend(0, List.of(), LEASE));
        assertInvalid("items is invalid; list of items cannot be empty", () -> queue.retry(0, List.of()));
        assertInvalid("items is invalid; cannot be empty", () -> queue.admin().importItems(0, List.of()));
        assertInvalid("ids is invalid; cannot be empty", () -> queue.admin().delete(0, List.of()));
    }

    @Test
    void lists_that_are_too_long_are_refused() {
        ItemQueue queue = newQueue();
        List<ItemId> ids = Collections.nCopies(1001, UNKNOWN);
        assertInvalid(
                "items is invalid; max_produce_batch_size is 1000 but received 1001",
                () -> ProduceRequest.of(Collections.nCopies(1001, NewItem.of("a"))));
        assertInvalid(
                "invalid batch size; max_lease_batch_size is 1000, but 1001 was requested",
                () -> LeaseRequest.of("client", 1001));
        assertInvalid(
                "ids is invalid; max_complete_batch_size is 1000 but received 1001", () -> queue.complete(0, ids));
        assertInvalid(
                "ids is invalid; max_complete_batch_size is 1000 but received 1001", () -> queue.extend(0, ids, LEASE));
        assertInvalid(
                "items is invalid; max_complete_batch_size is 1000 but received 1001",
                () -> queue.retry(0, ids.stream().map(RetryItem::now).toList()));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "PT0S    | request timeout is required; '5m' is recommended, 15m is the maximum",
                "PT16M   | request timeout is invalid; maximum timeout is '15m' but '16m0s' was requested",
                "PT15M1S | request timeout is invalid; maximum timeout is '15m' but '15m1s' was requested",
                "PT0.01S | request timeout is invalid; minimum timeout is '10ms' but '10ms' was requested",
                "PT0.001S| request timeout is invalid; minimum timeout is '10ms' but '1ms' was requested",
                "PT-5S   | request timeout is invalid; minimum timeout is '10ms' but '-5s' was requested"
            })
    void a_timeout_that_is_missing_too_long_or_too_short_is_refused(Duration timeout, String message) {
        ProduceRequest produce = ProduceRequest.of(NewItem.of("a"));
        assertInvalid(message, () -> produce.timeout(timeout));
        assertInvalid(message, () -> request(1).timeout(timeout));
    }

    @Test
    void timeouts_at_the_limits_are_fine() {
        ItemQueue queue = newQueue();
        Stream.of(Duration.ofMinutes(15), Duration.ofMillis(11).plusSeconds(1)).forEach(timeout -> {
            queue.produce(ProduceRequest.of(NewItem.of("a")).timeout(timeout));
            assertThat(queue.lease(request(1).timeout(timeout)).items()).hasSize(1);
        });
        assertThat(queue.lease(request(1).timeout(Duration.ofMillis(11))).items())
                .isEmpty();
    }

    @Test
    void a_lease_needs_a_client_id_and_a_batch_size() {
        assertInvalid("invalid client id; cannot be empty", () -> LeaseRequest.of("", 1));
        assertInvalid("invalid client id; cannot be empty", () -> LeaseRequest.of("  ", 1));
        assertInvalid("invalid batch size; must be greater than zero", () -> LeaseRequest.of("client", 0));
        assertInvalid("invalid batch size; must be greater than zero", () -> LeaseRequest.of("client", -1));
    }

    @Test
    void an_id_that_is_no_id_is_refused() {
        String bounds =
                "Valid encoded KSUIDs are bounded by 000000000000000000000000000 and " + "aWgEPTl1tmebfsQzFP4bxwgy80V";
        assertInvalid(
                "invalid storage id; 'another-invalid-id': Valid encoded KSUIDs are 27 characters",
                () -> new ItemId("another-invalid-id"));
        assertInvalid("invalid storage id; '': Valid encoded KSUIDs are 27 characters", () -> new ItemId(""));
        assertInvalid("invalid storage id; 'zzzzzzzzzzzzzzzzzzzzzzzzzzz': " + bounds, () -> new ItemId("z".repeat(27)));
        assertInvalid("invalid storage id; '---------------------------': " + bounds, () -> new ItemId("-".repeat(27)));
    }

    @Test
    void a_listing_has_a_limit_and_a_pivot_that_can_be() {
        assertInvalid(
                "limit is invalid; limit cannot be negative",
                () -> ItemListing.of(0).limit(-1));
        assertInvalid("limit is invalid; limit cannot be negative", () -> new QueueListing("", "", -1));
        assertInvalid("limit is invalid; cannot be greater than 65536", () -> new QueueListing("", "", 65_537));
        assertInvalid(
                "limit is invalid; cannot be greater than 65536", () -> new QueueListing("", "", Integer.MAX_VALUE));
        assertInvalid(
                "pivot is invalid; 'invalid~pivot' cannot contain '~' character",
                () -> new QueueListing("", "invalid~pivot", 0));
    }

    @Test
    void options_of_a_consumer_that_cannot_work_are_refused() {
        ConsumeOptions options = ConsumeOptions.DEFAULT;
        assertInvalid("concurrency must be at least 1, got 0", () -> options.concurrency(0));
        assertInvalid("invalid batch size; must be greater than zero", () -> options.batchSize(0));
        assertInvalid(
                "invalid batch size; max_lease_batch_size is 1000, but 1001 was requested",
                () -> options.batchSize(1001));
        assertInvalid("stopTimeout must not be negative, got PT-1S", () -> options.stopTimeout(Duration.ofSeconds(-1)));
        assertInvalid(
                "the longest delay must not be shorter than the first, got PT1S and PT2S",
                () -> RetryRules.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    }

    @Test
    void async_forms_tell_their_failure_in_the_future() {
        ItemQueue queue = newQueue();
        Stream.<Supplier<CompletableFuture<?>>>of(
                        () -> queue.completeAsync(0, List.of()),
                        () -> queue.completeAsync(9, IDS),
                        () -> queue.retryAsync(0, List.of()),
                        () -> queue.retryAsync(9, List.of(RetryItem.now(UNKNOWN))),
                        () -> queue.extendAsync(0, List.of(), LEASE),
                        () -> queue.extendAsync(9, IDS, LEASE),
                        () -> queue.giveBackAsync(9, IDS),
                        () -> queue.admin().listAsync(ItemListing.of(9)),
                        () -> queue.admin().listScheduledAsync(ItemListing.of(9)),
                        () -> queue.admin().importItemsAsync(0, List.of()),
                        () -> queue.admin().deleteAsync(0, List.of()))
                .forEach(call -> {
                    CompletableFuture<?> future = call.get();
                    assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> soon(future));
                });
    }

    @Test
    void after_a_burst_of_wrong_calls_all_is_well() {
        ItemQueue queue = newQueue();
        produce(queue, 3);
        for (int i = 0; i < 50; i++) {
            assertFails(QueueErrorCode.NO_SUCH_ITEM, () -> queue.complete(0, IDS));
            assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> queue.complete(7, IDS));
            assertFails(
                    QueueErrorCode.NO_SUCH_QUEUE,
                    () -> queues().queue("no-such").admin().stats());
        }
        assertThat(texts(lease(queue, 10))).isEqualTo(texts(3));
    }
}
