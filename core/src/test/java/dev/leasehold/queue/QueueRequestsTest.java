package dev.leasehold.queue;

import static dev.leasehold.queue.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.RetryItem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What callers ask for, and what they get. */
class QueueRequestsTest {
    private static final ItemId ID = new ItemId("0ujsswThIGTUYm2K8FjOOfXtY1K");
    private static final NewItem ITEM = NewItem.of("x");

    @Test
    void a_new_item_is_ready_at_once_unless_it_says_otherwise() {
        NewItem plain = NewItem.of("h\u00e9");
        assertThat(plain.payload()).isEqualTo("h\u00e9".getBytes(StandardCharsets.UTF_8));
        assertThat(List.of(plain.encoding(), plain.kind(), plain.reference())).containsOnly("");
        assertThat(plain.when()).isEqualTo(When.now());
        byte[] bytes = {0};
        When later = When.after(Duration.ofSeconds(1));
        assertThat(NewItem.of(bytes).encoding("e").kind("k").reference("r").when(later))
                .isEqualTo(new NewItem(bytes, "e", "k", "r", later));
    }

    @Test
    void the_texts_of_an_item_hold_no_u0000_but_its_payload_may() {
        assertThatNoException().isThrownBy(() -> NewItem.of("\0"));
        assertRefused(() -> ITEM.encoding("\0"), "encoding is invalid; cannot contain the character U+0000");
        assertRefused(() -> ITEM.kind("a\0"), "kind is invalid; cannot contain the character U+0000");
        assertRefused(() -> ITEM.reference("\0a"), "reference is invalid; cannot contain the character U+0000");
        assertRefused(() -> stored("\0", ""), "source_id is invalid; cannot contain the character U+0000");
        assertRefused(() -> stored("", "\0"), "kind is invalid; cannot contain the character U+0000");
    }

    private static StoredItem stored(String sourceId, String kind) {
        return new StoredItem(null, sourceId, false, null, null, null, null, 0, 0, "", "", kind, new byte[0]);
    }

    @Test
    void an_empty_source_id_is_none() {
        assertThat(stored("", "").sourceId()).isNull();
        assertThat(stored("s", "").sourceId()).isEqualTo("s");
        assertThat(StoredItem.of(new byte[0]).sourceId()).isNull();
    }

    @Test
    void a_produce_has_one_to_1000_items_and_five_minutes() {
        assertThat(ProduceRequest.of(ITEM).timeout()).isEqualTo(Duration.ofMinutes(5));
        assertThatNoException().isThrownBy(() -> ProduceRequest.of(Collections.nCopies(1000, ITEM)));
        assertRefused(ProduceRequest::of, "items cannot be empty; at least one item is required");
        assertRefused(
                () -> ProduceRequest.of(Collections.nCopies(1001, ITEM)),
                "items is invalid; max_produce_batch_size is 1000 but received 1001");
        assertRefused(
                () -> new ProduceRequest(List.of(), Duration.ZERO),
                "request timeout is required; '5m' is recommended, 15m is the maximum");
        assertThatNoException().isThrownBy(() -> ProduceRequest.of(ITEM).timeout(Duration.ofMinutes(15)));
    }

    @Test
    void a_produce_keeps_its_items_whatever_becomes_of_the_list() {
        List<NewItem> items = new ArrayList<>(List.of(ITEM));
        ProduceRequest request = ProduceRequest.of(items);
        items.clear();
        assertThat(request.items()).containsExactly(ITEM);
    }

    @Test
    void a_lease_says_who_how_many_and_how_long_in_that_order() {
        assertThat(LeaseRequest.of("c", 5)).isEqualTo(new LeaseRequest("c", 5, Duration.ofMinutes(1)));
        assertThat(LeaseRequest.of("c", 5).timeout(Duration.ofMinutes(15)).timeout())
                .isEqualTo(Duration.ofMinutes(15));
        Duration none = Duration.ZERO;
        assertRefused(() -> new LeaseRequest(" ", 0, none), "invalid client id; cannot be empty");
        assertRefused(() -> new LeaseRequest("c", 0, none), "invalid batch size; must be greater than zero");
        assertRefused(
                () -> new LeaseRequest("c", 1001, none),
                "invalid batch size; max_lease_batch_size is 1000, but 1001 was requested");
        assertRefused(
                () -> new LeaseRequest("c", 1, none),
                "request timeout is required; '5m' is recommended, 15m is the maximum");
        assertRefused(
                () -> LeaseRequest.of("c", 1).timeout(Duration.ofMillis(10)),
                "request timeout is invalid; minimum timeout is '10ms' but '10ms' was requested");
    }

    @Test
    void a_clear_clears_something() {
        assertThatNoException().isThrownBy(() -> new ClearRequest(true, false, false));
        assertThatNoException().isThrownBy(() -> new ClearRequest(false, true, true));
        assertRefused(
                () -> new ClearRequest(false, false, true),
                "invalid clear request; one of 'queue', 'scheduled' must be true");
    }

    @Test
    void a_listing_that_says_no_limit_has_1000() {
        assertThat(ItemListing.of(3)).isEqualTo(new ItemListing(3, null, 1000));
        assertThat(ItemListing.of(3).from(ID).limit(5)).isEqualTo(new ItemListing(3, ID, 5));
        assertRefused(() -> ItemListing.of(0).limit(-1), "limit is invalid; limit cannot be negative");
        assertThat(QueueListing.DEFAULT).isEqualTo(new QueueListing("_system", "", 1000));
        assertThat(new QueueListing("n", "p", 65_536).limit()).isEqualTo(65_536);
        assertRefused(() -> new QueueListing("", "", -1), "limit is invalid; limit cannot be negative");
        assertRefused(() -> new QueueListing("", "", 65_537), "limit is invalid; cannot be greater than 65536");
        assertRefused(() -> new QueueListing("", "~", 0), "pivot is invalid; '~' cannot contain '~' character");
    }

    @Test
    void a_retry_is_now_later_or_never() {
        When later = When.at(Instant.EPOCH);
        assertThat(RetryItem.now(ID)).isEqualTo(new RetryItem(ID, When.now(), false));
        assertThat(RetryItem.at(ID, later)).isEqualTo(new RetryItem(ID, later, false));
        assertThat(RetryItem.dead(ID)).isEqualTo(new RetryItem(ID, When.now(), true));
    }

    @Test
    void a_batch_knows_its_ids() {
        LeasedItem item =
                new LeasedItem(ID, 0, 1, Instant.EPOCH, "", "", "", "h\u00e9".getBytes(StandardCharsets.UTF_8));
        LeasedBatch batch = new LeasedBatch("q", 0, List.of(item));
        assertThat(batch.ids()).containsExactly(ID);
        assertThat(batch.isEmpty()).isFalse();
        assertThat(new LeasedBatch("q", 0, List.of()).isEmpty()).isTrue();
        assertThat(item.text()).isEqualTo("h\u00e9");
    }

    @Test
    void consumers_have_sane_options() {
        ConsumeOptions options = ConsumeOptions.DEFAULT;
        RetryRules rules = RetryRules.fixed(Duration.ofSeconds(4));
        ConsumeOptions changed = options.concurrency(2)
                .batchSize(3)
                .retry(rules)
                .handlerTimeout(Duration.ofSeconds(6))
                .stopTimeout(Duration.ofSeconds(5));
        assertThat(changed.concurrency()).isEqualTo(2);
        assertThat(changed.batchSize()).isEqualTo(3);
        assertThat(changed.retry()).isSameAs(rules);
        assertThat(changed.handlerTimeout()).isEqualTo(Duration.ofSeconds(6));
        assertThat(changed.stopTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertRefused(() -> options.concurrency(0), "concurrency must be at least 1, got 0");
        assertRefused(() -> options.batchSize(0), "invalid batch size; must be greater than zero");
        Duration negative = Duration.ofMillis(-1);
        assertRefused(
                () -> RetryRules.exponential(negative, Duration.ZERO),
                "the first delay must not be negative, got PT-0.001S");
        assertRefused(
                () -> options.retry().after(IllegalStateException.class, negative),
                "a delay must not be negative, got PT-0.001S");
        assertRefused(() -> options.handlerTimeout(negative), "handlerTimeout must not be negative, got PT-0.001S");
        assertRefused(() -> options.stopTimeout(negative), "stopTimeout must not be negative, got PT-0.001S");
        assertRefused(
                () -> RetryRules.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)),
                "the longest delay must not be shorter than the first, got PT1S and PT2S");
    }

    @Test
    void nodes_look_every_second_or_as_told() {
        assertThat(QueueOptions.DEFAULT.lookInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)).lookInterval())
                .isEqualTo(Duration.ofMillis(20));
        assertRefused(
                () -> QueueOptions.DEFAULT.lookInterval(Duration.ZERO), "lookInterval must be positive, got PT0S");
    }

    @Test
    void what_is_not_there_is_told_by_name() {
        QueueException missing = QueueException.noSuchQueue("q");
        assertThat(missing.code()).isEqualTo(QueueErrorCode.NO_SUCH_QUEUE);
        assertThat(missing).hasMessage("queue does not exist; no such queue named 'q'");
        QueueException closing = QueueException.shuttingDown();
        assertThat(closing.code()).isEqualTo(QueueErrorCode.SHUTTING_DOWN);
        assertThat(closing).hasMessage("queue is shutting down");
    }
}
