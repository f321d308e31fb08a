package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.fields;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.wire.QueueProduceItem;
import dev.leasehold.wire.QueueProduceRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What goes in comes out, at once or later. */
abstract class ProduceTests extends QueueEndpointsTests {
    @Test
    void an_item_is_produced_leased_listed_and_completed() {
        String queue = newQueue();
        Answer produced = client.post(
                "queue.produce",
                "queue_name",
                queue,
                "request_timeout",
                "1m",
                "items",
                List.of(fields("reference", "r-1", "encoding", "text", "kind", "greeting", "utf8", "hello")));
        assertThat(produced.text()).isEqualTo("{\"code\":200}");

        JsonNode leased = client.lease(queue, 1);
        assertThat(leased.path("queue_name").asText()).isEqualTo(queue);
        assertThat(leased.has("partition")).isFalse();
        JsonNode item = list(leased).get(0);
        assertThat(item.path("reference").asText()).isEqualTo("r-1");
        assertThat(item.path("encoding").asText()).isEqualTo("text");
        assertThat(item.path("kind").asText()).isEqualTo("greeting");
        assertThat(item.path("attempts").asInt()).isEqualTo(1);
        assertThat(text(item)).isEqualTo("hello");

        List<JsonNode> stored = client.items(queue);
        assertThat(stored).hasSize(1);
        assertThat(stored.get(0).path("id")).isEqualTo(item.path("id"));
        assertThat(stored.get(0).path("is_leased").asBoolean()).isTrue();

        Answer completed = client.complete(queue, 0, QueueClient.ids(leased));
        assertThat(completed.text()).isEqualTo("{\"code\":200}");
        assertThat(client.items(queue)).isEmpty();
        client.post("queues.delete", "queue_name", queue).ok();
        assertThat(list(client.post("queues.list", "pivot", queue, "limit", 1)))
                .noneMatch(info -> info.path("queue_name").asText().equals(queue));
    }

    @Test
    void an_item_takes_its_deadlines_from_the_queue() {
        String queue = newQueue("expire_timeout", "20h");
        Instant before = now();
        client.produceItems(
                queue,
                List.of(
                        fields("reference", "r-1", "encoding", "e-1", "kind", "k-1", "utf8", "one"),
                        fields("reference", "r-2", "encoding", "e-2", "kind", "k-2", "utf8", "two")));

        List<JsonNode> items = client.items(queue);
        assertThat(texts(items)).containsExactly("one", "two");
        for (JsonNode item : items) {
            assertThat(item.path("lease_deadline").asText()).isEqualTo(NO_TIME);
            assertThat(item.has("is_leased")).isFalse();
            assertThat(item.has("attempts")).isFalse();
            assertThat(moment(item, "created_at")).isBetween(before, now());
            assertThat(moment(item, "expire_deadline"))
                    .isBetween(before.plus(Duration.ofHours(20)), now().plus(Duration.ofHours(20)));
        }
        assertThat(items.get(1).path("reference").asText()).isEqualTo("r-2");
        assertThat(items.get(1).path("encoding").asText()).isEqualTo("e-2");
        assertThat(items.get(1).path("kind").asText()).isEqualTo("k-2");
    }

    @Test
    void payloads_may_be_bytes_or_text_and_keep_their_order() {
        String queue = newQueue();
        String bytes = Base64.getEncoder().encodeToString("bytes".getBytes(StandardCharsets.UTF_8));
        client.produceItems(
                queue,
                List.of(
                        fields("bytes", bytes),
                        fields("utf8", "gr\u00fc\u00df dich \ud83d\udc0d"),
                        fields("bytes", bytes, "utf8", "not me"),
                        Map.of()));

        assertThat(texts(client.items(queue)))
                .containsExactly("bytes", "gr\u00fc\u00df dich \ud83d\udc0d", "bytes", "");
    }

    @Test
    void bytes_of_all_values_come_back_as_they_were() {
        String queue = newQueue();
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        client.produceItems(queue, List.of(fields("bytes", Base64.getEncoder().encodeToString(all))));

        byte[] leased = Base64.getDecoder().decode(leaseOne(queue).path("bytes").asText());
        assertThat(leased).isEqualTo(all);
    }

    @Test
    void scheduled_items_become_ready_when_they_are_due_in_the_order_of_their_production() {
        String queue = newQueue();
        String due = now().plusSeconds(60).toString();
        client.produceItems(
                queue,
                range(100).stream()
                        .map(i -> fields("utf8", "item-" + i, "enqueue_at", due))
                        .toList());
        assertThat(client.items(queue)).isEmpty();
        List<JsonNode> scheduled = client.scheduled(queue);
        assertThat(scheduled).hasSize(100);
        assertThat(moment(scheduled.get(0), "enqueue_at")).isEqualTo(Instant.parse(due));
        assertThat(client.stats(queue, 0).path("scheduled").asInt()).isEqualTo(100);
        assertThat(client.stats(queue, 0).has("total")).isFalse();

        outlive(Duration.ofMinutes(2));
        await(() -> client.scheduled(queue).isEmpty());
        assertThat(client.stats(queue, 0).path("total").asInt()).isEqualTo(100);
        JsonNode leased = client.lease(queue, 100);
        assertThat(texts(list(leased)))
                .containsExactlyElementsOf(
                        range(100).stream().map(i -> "item-" + i).toList());
        client.complete(queue, 0, QueueClient.ids(leased)).ok();
        assertThat(client.items(queue)).isEmpty();
    }

    @Test
    void what_is_due_soon_or_in_the_past_is_due_now() {
        String queue = newQueue();
        client.produceItems(
                queue,
                List.of(
                        fields(
                                "utf8",
                                "soon",
                                "enqueue_at",
                                now().plusMillis(50).toString()),
                        fields(
                                "utf8",
                                "past",
                                "enqueue_at",
                                now().minusSeconds(60).toString()),
                        fields("utf8", "long ago", "enqueue_at", "0001-01-01T00:00:00Z")));

        assertThat(client.scheduled(queue)).isEmpty();
        assertThat(texts(list(client.lease(queue, 10)))).containsExactly("soon", "past", "long ago");
    }

    @Test
    void scheduled_items_come_in_pages() {
        String queue = newQueue();
        String due = now().plusSeconds(3600).toString();
        client.produceItems(
                queue,
                range(50).stream()
                        .map(i -> fields("utf8", "item-" + i, "enqueue_at", due))
                        .toList());

        List<JsonNode> first = list(client.post("storage/scheduled.list", "queue_name", queue, "limit", 20));
        assertThat(first).hasSize(20);
        String pivot = first.get(19).path("id").asText();
        List<JsonNode> second =
                list(client.post("storage/scheduled.list", "queue_name", queue, "limit", 20, "pivot", pivot));
        assertThat(second.get(0)).isEqualTo(first.get(19));
        assertThat(second.subList(1, 20)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void who_asks_where_the_items_went_is_told() {
        String queue = newQueue();
        QueueProduceRequest wish = QueueProduceRequest.newBuilder()
                .setQueueName(queue)
                .setRequestTimeout("1m")
                .addItems(QueueProduceItem.newBuilder().setUtf8("a"))
                .addItems(QueueProduceItem.newBuilder().setUtf8("b"))
                .build();
        JsonNode told = client.postProto("queue.produce", wish, "Leasehold-Details", "true")
                .ok();

        assertThat(told.path("details").path("partition").asText()).isEqualTo("0");
        assertThat(told.path("details").path("ids").asText())
                .isEqualTo(String.join(
                        ",",
                        client.items(queue).stream()
                                .map(item -> item.path("id").asText())
                                .toList()));
    }

    @Test
    void an_item_that_would_expire_before_it_is_ready_is_refused_only_if_the_caller_is_strict() {
        String queue = newQueue();
        QueueProduceRequest wish = QueueProduceRequest.newBuilder()
                .setQueueName(queue)
                .setRequestTimeout("1m")
                .addItems(QueueProduceItem.newBuilder().setUtf8("late").setEnqueueAfter("2000000h"))
                .build();
        client.postProto("queue.produce", wish).ok();
        assertThat(client.postProto("queue.produce", wish, "Leasehold-Strict", "true")
                        .message())
                .contains("enqueue time is invalid; the item would be ready at ");
        assertThat(list(client.post("storage/scheduled.list", "queue_name", queue)))
                .hasSize(1);
    }

    @Test
    void an_item_with_a_character_that_cannot_be_stored_is_refused_with_its_neighbours() {
        String queue = newQueue();
        client.post(
                        "queue.produce",
                        "queue_name",
                        queue,
                        "request_timeout",
                        "1m",
                        "items",
                        List.of(fields("utf8", "fine"), fields("kind", "a\u0000b")))
                .isRefusal(400, "kind is invalid; cannot contain the character U+0000");
        assertThat(client.items(queue)).isEmpty();
    }
}
