package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.fields;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Items as they lie in their partitions. */
abstract class StorageTests extends QueueEndpointsTests {
    private static final String LEAST_ID = "000000000000000000000000000";

    @Test
    void items_are_imported_as_they_are() {
        String queue = newQueue();
        String lease = now().plus(Duration.ofHours(50)).toString();
        String expire = now().plus(Duration.ofMinutes(100_000)).toString();
        List<Map<String, Object>> given = List.of(
                item("is_leased", true, "lease_deadline", lease, "expire_deadline", expire, "attempts", 5),
                item("is_leased", false, "lease_deadline", lease, "expire_deadline", expire, "attempts", 10_000));
        List<JsonNode> imported = client.importItems(queue, given);

        assertThat(imported).hasSize(2);
        for (int i : range(2)) {
            JsonNode item = imported.get(i);
            assertThat(item.path("id").asText()).hasSize(27);
            assertNear(moment(item, "created_at"), now());
            assertThat(item.path("is_leased").asBoolean()).isEqualTo(i == 0);
            assertThat(moment(item, "lease_deadline")).isEqualTo(Instant.parse(lease));
            assertThat(moment(item, "expire_deadline")).isEqualTo(Instant.parse(expire));
            assertThat(item.path("attempts")).isEqualTo(imported.get(i).path("attempts"));
            assertThat(item.path("reference").asText()).isEqualTo("r");
            assertThat(item.path("encoding").asText()).isEqualTo("e");
            assertThat(item.path("kind").asText()).isEqualTo("k");
            assertThat(text(item)).isEqualTo("a");
        }
        assertThat(imported.get(0).path("attempts").asInt()).isEqualTo(5);
        assertThat(imported.get(1).path("attempts").asInt()).isEqualTo(10_000);
        List<JsonNode> stored = client.items(queue);
        assertThat(stored.get(0)).isEqualTo(imported.get(0));
        assertThat(stored.get(1).path("lease_deadline").asText()).isEqualTo(NO_TIME);
    }

    private static Map<String, Object> item(Object... namesAndValues) {
        Map<String, Object> item = fields("reference", "r", "encoding", "e", "kind", "k", "payload", "YQ==");
        item.putAll(fields(namesAndValues));
        return item;
    }

    @Test
    void an_imported_item_without_a_deadline_lives_as_long_as_others() {
        String queue = newQueue("expire_timeout", "2h");
        JsonNode imported = client.importItems(queue, List.of(item())).get(0);
        assertNear(moment(imported, "expire_deadline"), now().plus(Duration.ofHours(2)));
        assertThat(imported.path("lease_deadline").asText()).isEqualTo(NO_TIME);
    }

    @Test
    void ten_thousand_items_are_listed_in_pages_and_deleted() {
        String queue = newQueue();
        List<JsonNode> items = client.importItems(
                queue,
                range(10_000).stream().map(i -> item("reference", "r-" + i)).toList());
        assertThat(items).hasSize(10_000);
        assertThat(page(queue, "", 10_000)).isEqualTo(items);
        assertThat(page(queue, "", 20_000)).isEqualTo(items);
        assertThat(page(queue, "", 0)).isEqualTo(items.subList(0, 1000));
        assertThat(page(queue, "", 1)).isEqualTo(items.subList(0, 1));
        assertThat(page(queue, id(items, 10), 1)).isEqualTo(items.subList(10, 11));
        assertThat(page(queue, LEAST_ID, 1)).isEqualTo(items.subList(0, 1));
        assertThat(page(queue, id(items, 1000), 10)).isEqualTo(items.subList(1000, 1010));
        assertThat(page(queue, id(items, 1009), 10)).isEqualTo(items.subList(1009, 1019));

        List<String> first = range(1000).stream().map(i -> id(items, i)).toList();
        assertThat(delete(queue, first).text()).isEqualTo("{\"code\":200}");
        assertThat(page(queue, "", 20_000)).isEqualTo(items.subList(1000, 10_000));
        assertThat(page(queue, id(items, 10), 1)).isEqualTo(items.subList(1000, 1001));
        delete(queue, first).ok();
    }

    private List<JsonNode> page(String queue, String pivot, int limit) {
        return list(client.post("storage/items.list", "queue_name", queue, "pivot", pivot, "limit", limit));
    }

    private static String id(List<JsonNode> items, int place) {
        return items.get(place).path("id").asText();
    }

    private Answer delete(String queue, List<String> ids) {
        return client.post("storage/items.delete", "queue_name", queue, "ids", ids);
    }

    @Test
    void leased_items_can_be_deleted_too() {
        String queue = newQueue();
        client.produce(queue, "a");
        delete(queue, QueueClient.ids(client.lease(queue, 1))).ok();
        assertThat(client.items(queue)).isEmpty();
    }

    @Test
    void what_every_storage_call_refuses() {
        String queue = newQueue();
        for (String operation : List.of("items.list", "items.import", "items.delete", "scheduled.list")) {
            String path = "storage/" + operation;
            client.post(path).isRefusal(400, "queue name is invalid; queue name cannot be empty");
            client.post(path, "queue_name", "invalid~queue")
                    .isRefusal(400, "queue name is invalid; 'invalid~queue' cannot contain '~' character");
            client.post(path, "queue_name", "nobody-s")
                    .isRefusal(400, "queue does not exist; no such queue named 'nobody-s'");
            client.post(path, "queue_name", queue, "partition", 1)
                    .isRefusal(400, "partition is invalid; '1' is not a valid partition");
            client.post(path, "queue_name", queue, "partition", 500)
                    .isRefusal(400, "partition is invalid; '500' is not a valid partition");
            client.post(path, "queue_name", queue, "partition", -1)
                    .isRefusal(400, "partition is invalid; '-1' is not a valid partition");
        }
    }

    @Test
    void what_single_storage_calls_refuse() {
        String queue = newQueue();
        client.post("storage/items.import", "queue_name", queue).isRefusal(400, "items is invalid; cannot be empty");
        client.post("storage/items.import", "queue_name", queue, "items", List.of())
                .isRefusal(400, "items is invalid; cannot be empty");
        client.post("storage/items.delete", "queue_name", queue).isRefusal(400, "ids is invalid; cannot be empty");
        delete(queue, List.of()).isRefusal(400, "ids is invalid; cannot be empty");
        delete(queue, List.of("invalid-id"))
                .isRefusal(400, "invalid storage id; 'invalid-id': Valid encoded KSUIDs are 27 characters");
        client.post("storage/items.list", "queue_name", queue, "pivot", "invalid-id")
                .isRefusal(400, "invalid storage id; 'invalid-id': Valid encoded KSUIDs are 27 characters");
        client.post("storage/items.list", "queue_name", queue, "limit", -1)
                .isRefusal(400, "limit is invalid; limit cannot be negative");
    }
}
