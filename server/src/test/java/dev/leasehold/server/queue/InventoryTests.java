package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.fields;
import static dev.leasehold.server.queue.QueueClient.ids;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Completing, counting, clearing, reloading. */
abstract class InventoryTests extends QueueEndpointsTests {
    @Test
    void completed_items_are_gone() {
        String queue = newQueue();
        client.produceMany(queue, 10);
        client.complete(queue, 0, ids(client.lease(queue, 10))).ok();
        assertThat(client.items(queue)).isEmpty();
    }

    @Test
    void only_leased_items_can_be_completed_and_all_of_them_or_none() {
        String queue = newQueue();
        client.produceMany(queue, 15);
        String leased = leaseOne(queue).path("id").asText();
        List<String> all = client.items(queue).stream()
                .map(item -> item.path("id").asText())
                .toList();
        client.complete(queue, 0, all)
                .isRefusal(400, "item(s) cannot be completed; '" + all.get(1) + "' is not marked as leased");
        assertThat(client.items(queue)).hasSize(15);
        client.complete(queue, 0, List.of(leased)).ok();
    }

    @Test
    void ids_that_are_wrong_or_unknown_are_named() {
        String queue = newQueue();
        client.complete(queue, 0, List.of("another-invalid-id", "another-invalid-id"))
                .isRefusal(400, "invalid storage id; 'another-invalid-id': Valid encoded KSUIDs are 27 characters");
        String unknown = "2srkBa0bLEOPWzmxv9qBVuOqXYZ";
        client.complete(queue, 0, List.of(unknown))
                .isRefusal(400, "invalid storage id; '" + unknown + "' does not exist");
        client.complete(queue, 0, List.of("z".repeat(27)))
                .isRefusal(
                        400,
                        "invalid storage id; '" + "z".repeat(27) + "': Valid encoded KSUIDs are bounded by"
                                + " 000000000000000000000000000 and aWgEPTl1tmebfsQzFP4bxwgy80V");
    }

    @Test
    void stats_count_what_is_there() {
        String queue = newQueue();
        client.produceMany(queue, 500);
        client.lease(queue, 15);

        JsonNode stats = client.post("queue.stats", "queue_name", queue).ok();
        assertThat(stats.fieldNames()).toIterable().containsExactly("queue_name", "logicalQueues");
        assertThat(stats.path("queue_name").asText()).isEqualTo(queue);
        assertThat(stats.path("logicalQueues")).hasSize(1);
        JsonNode partition = client.stats(queue, 0);
        assertThat(partition.path("total").asInt()).isEqualTo(500);
        assertThat(partition.path("total_leased").asInt()).isEqualTo(15);
        assertThat(partition.has("failures")).isFalse();
        assertThat(partition.path("average_age").asText()).isNotEmpty();
        assertThat(partition.path("average_leased_age").asText()).isNotEmpty();
    }

    @Test
    void stats_tell_scheduled_items_from_ready_ones() {
        String queue = newQueue();
        client.produceItems(queue, scheduled(50));
        assertThat(client.stats(queue, 0).path("scheduled").asInt()).isEqualTo(50);
        assertThat(client.stats(queue, 0).path("total").asInt()).isZero();

        outlive(Duration.ofMinutes(2));
        await(() -> client.stats(queue, 0).path("total").asInt() == 50);
        assertThat(client.stats(queue, 0).path("scheduled").asInt()).isZero();
    }

    private List<Map<String, Object>> scheduled(int count) {
        String due = now().plusSeconds(60).toString();
        return range(count).stream()
                .map(i -> fields("utf8", "later-" + i, "enqueue_at", due))
                .toList();
    }

    @Test
    void clearing_leaves_leased_items_unless_it_is_destructive() {
        String queue = newQueue();
        client.produceMany(queue, 500);
        String deadline = now().plusSeconds(600).toString();
        client.importItems(
                queue,
                List.of(
                        fields("is_leased", true, "lease_deadline", deadline, "payload", "YQ=="),
                        fields("is_leased", true, "lease_deadline", deadline, "payload", "Yg==")));

        assertThat(client.post("queue.clear", "queue_name", queue, "queue", true)
                        .text())
                .isEqualTo("{\"code\":200}");
        assertThat(texts(client.items(queue))).containsExactly("a", "b");
        client.produceMany(queue, 200);
        client.post("queue.clear", "queue_name", queue, "queue", true, "destructive", true)
                .ok();
        assertThat(client.items(queue)).isEmpty();
    }

    @Test
    void scheduled_items_are_cleared_on_their_own_or_with_the_rest() {
        String queue = newQueue();
        client.produceMany(queue, 10);
        client.produceItems(queue, scheduled(20));
        client.post("queue.clear", "queue_name", queue, "scheduled", true).ok();
        assertThat(client.items(queue)).hasSize(10);
        assertThat(client.scheduled(queue)).isEmpty();
        assertThat(client.stats(queue, 0).path("total").asInt()).isEqualTo(10);

        client.produceItems(queue, scheduled(25));
        client.post("queue.clear", "queue_name", queue, "scheduled", true, "queue", true)
                .ok();
        assertThat(client.items(queue)).isEmpty();
        assertThat(client.scheduled(queue)).isEmpty();
        assertThat(client.stats(queue, 0).path("total").asInt()).isZero();
        assertThat(client.stats(queue, 0).path("scheduled").asInt()).isZero();
    }

    @Test
    void a_clear_says_what_to_clear() {
        String queue = newQueue();
        client.post("queue.clear", "queue_name", queue, "destructive", true)
                .isRefusal(400, "invalid clear request; one of 'queue', 'scheduled' must be true");
    }

    @Test
    void reloading_changes_nothing_of_what_is_there() {
        String queue = newQueue();
        assertThat(client.post("queue.reload", "queue_name", queue).text()).isEqualTo("{\"code\":200}");
        assertThat(client.stats(queue, 0).path("total").asInt()).isZero();

        List<Map<String, Object>> items = new ArrayList<>();
        range(150).forEach(i -> items.add(fields("payload", "YQ==")));
        client.importItems(queue, items.subList(0, 100));
        client.importItems(queue, items.subList(100, 150));
        assertThat(client.stats(queue, 0).path("total").asInt()).isEqualTo(150);
        client.post("queue.reload", "queue_name", queue).ok();
        assertThat(client.stats(queue, 0).path("total").asInt()).isEqualTo(150);

        JsonNode leased = client.lease(queue, 150);
        assertThat(list(leased)).hasSize(150);
        client.complete(queue, 0, ids(leased).subList(0, 10)).ok();
        client.post("queue.reload", "queue_name", queue).ok();
        assertThat(client.stats(queue, 0).path("total").asInt()).isEqualTo(140);
        assertThat(client.stats(queue, 0).path("total_leased").asInt()).isEqualTo(140);
    }
}
