package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is produced is in the queue, in its order, with everything it carries. */
public class ProduceContract extends QueueContract {
    private static final NewItem FULL = NewItem.of("The quick brown fox")
            .reference("rainbow@dash.com")
            .encoding("friendship")
            .kind("yes");

    @Test
    void an_item_is_produced_leased_completed_and_gone() {
        ItemQueue queue = newQueue();
        Produced produced = queue.produce(FULL);
        LeasedBatch batch = lease(queue, 1);
        LeasedItem item = batch.items().get(0);

        assertThat(batch.queue()).isEqualTo(queue.name());
        assertThat(batch.partition()).isZero().isEqualTo(produced.partition());
        assertThat(item.attempts()).isEqualTo(1);
        assertThat(item.text()).isEqualTo("The quick brown fox");
        assertThat(List.of(item.reference(), item.encoding(), item.kind()))
                .containsExactly("rainbow@dash.com", "friendship", "yes");
        assertThat(onlyStored(queue).isLeased()).isTrue();
        assertThat(onlyStored(queue).id()).isEqualTo(item.id());

        queue.complete(batch);
        assertThat(stored(queue)).isEmpty();
        queues().delete(queue.name());
        assertThat(queues().list(new QueueListing("", queue.name(), 1)))
                .noneMatch(info -> info.name().equals(queue.name()));
    }

    @Test
    void an_item_takes_its_expiry_from_the_queue() {
        ItemQueue queue = newQueue(config -> config.expireTimeout(Duration.ofHours(20)));
        queue.produce(FULL);
        StoredItem item = onlyStored(queue);
        assertNear(item.expireDeadline(), now().plus(Duration.ofHours(20)));
        assertThat(item.leaseDeadline()).isNull();
        assertThat(item.enqueueAt()).isNull();
        assertThat(item.sourceId()).isNull();
    }

    @Test
    void items_lie_in_the_order_of_the_request() {
        ItemQueue queue = newQueue();
        produce(queue, "before");
        ItemId pivot = id(onlyStored(queue));
        List<NewItem> items = IntStream.range(0, 10)
                .mapToObj(i -> NewItem.of(new byte[] {(byte) i})
                        .reference("r" + i)
                        .encoding("e" + i)
                        .kind("k" + i))
                .toList();
        Produced produced = queue.produce(ProduceRequest.of(items));

        List<StoredItem> stored =
                queue.admin().list(ItemListing.of(0).from(pivot)).subList(1, 11);
        for (int i = 0; i < 10; i++) {
            assertProduced(stored.get(i), items.get(i), produced.ids().get(i));
        }
    }

    private void assertProduced(StoredItem stored, NewItem item, ItemId id) {
        assertThat(stored.id()).isEqualTo(id);
        assertThat(stored.payload()).isEqualTo(item.payload());
        assertThat(List.of(stored.reference(), stored.encoding(), stored.kind()))
                .containsExactly(item.reference(), item.encoding(), item.kind());
        assertThat(stored.isLeased()).isFalse();
        assertThat(stored.attempts()).isZero();
        assertNear(stored.createdAt(), now());
    }

    @Test
    void texts_are_stored_as_utf_8() {
        ItemQueue queue = newQueue();
        produce(queue, "pivot");
        List<String> texts = IntStream.range(0, 100)
                .mapToObj(i -> "na\u00efve \u65e5\u672c \uD83D\uDE80 '\"\\ " + i)
                .toList();
        produce(queue, texts.toArray(String[]::new));

        List<StoredItem> page = queue.admin()
                .list(ItemListing.of(0).from(id(stored(queue).get(0))).limit(101));
        assertThat(texts(page)).hasSize(101).startsWith("pivot").endsWith(texts.get(99));
        assertThat(texts(page).subList(1, 101)).isEqualTo(texts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "'; drop table item; --", "\\N", "{a,\"b\"}", "\n\t", "\u00e9\u9375\uD83D\uDD12", "null"
            })
    void any_text_can_be_a_reference_an_encoding_and_a_kind(String text) {
        ItemQueue queue = newQueue();
        queue.produce(NewItem.of("x").reference(text).encoding(text).kind(text));
        assertThat(onlyStored(queue))
                .extracting(StoredItem::reference, StoredItem::encoding, StoredItem::kind)
                .containsOnly(text);
        assertThat(leaseOne(queue))
                .extracting(LeasedItem::reference, LeasedItem::encoding, LeasedItem::kind)
                .containsOnly(text);
    }

    @Test
    void any_bytes_can_be_a_payload_also_none() {
        ItemQueue queue = newQueue();
        byte[] every = new byte[256];
        IntStream.range(0, 256).forEach(i -> every[i] = (byte) i);
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) 0xFF);
        queue.produce(NewItem.of(every), NewItem.of(new byte[0]), NewItem.of(new byte[0]), NewItem.of(large));

        assertThat(lease(queue, 4).items().stream().map(LeasedItem::payload))
                .usingElementComparator(Arrays::compare)
                .containsExactly(every, new byte[0], new byte[0], large);
    }

    @Test
    void a_thousand_items_can_be_produced_at_once() {
        ItemQueue queue = newQueue();
        Produced produced = produce(queue, 1000);
        assertThat(produced.ids()).hasSize(1000).isSorted().doesNotHaveDuplicates();
        LeasedBatch batch = lease(queue, 1000);
        assertThat(texts(batch)).isEqualTo(texts(1000));
        assertThat(batch.ids()).isEqualTo(produced.ids());
    }

    @Test
    void ids_are_27_characters_that_grow() {
        ItemQueue queue = newQueue();
        List<ItemId> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.addAll(produce(queue, "a", "b").ids());
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(ids).allSatisfy(id -> assertThat(id.value()).matches("[0-9A-Za-z]{27}"));
    }

    @Test
    void what_was_acknowledged_first_is_leased_first() {
        ItemQueue queue = newQueue();
        for (String text : texts(50)) {
            produce(queue, text);
        }
        assertThat(texts(lease(queue, 100))).isEqualTo(texts(50));
    }

    @Test
    void produces_that_do_not_wait_for_each_other_are_all_stored_each_in_its_order() {
        ItemQueue queue = newQueue();
        List<CompletableFuture<Produced>> all = texts(200).stream()
                .map(text -> queue.produceAsync(ProduceRequest.of(NewItem.of(text + "a"), NewItem.of(text + "b"))))
                .toList();
        all.forEach(one -> assertThat(soon(one).ids()).hasSize(2).isSorted());

        List<String> stored = texts(stored(queue));
        assertThat(stored).hasSize(400).doesNotHaveDuplicates();
        assertThat(texts(200))
                .allSatisfy(text -> assertThat(stored.indexOf(text + "a")).isLessThan(stored.indexOf(text + "b")));
        assertThat(all.stream().flatMap(one -> soon(one).ids().stream()))
                .containsExactlyInAnyOrderElementsOf(
                        stored(queue).stream().map(QueueContract::id).toList());
    }

    @Test
    void producers_in_many_threads_lose_nothing() {
        ItemQueue queue = newQueue();
        var workers = Stream.of("a", "b", "c", "d")
                .map(worker -> inBackground(() -> {
                    texts(50).forEach(text -> produce(queue, worker + text));
                    return worker;
                }))
                .toList();
        workers.forEach(QueueContract::soon);

        List<String> stored = texts(stored(queue));
        assertThat(stored).hasSize(200).doesNotHaveDuplicates();
        assertThat(Stream.of("a", "b", "c", "d"))
                .allSatisfy(worker -> assertThat(stored.stream().filter(text -> text.startsWith(worker)))
                        .isSorted()
                        .hasSize(50));
    }
}
