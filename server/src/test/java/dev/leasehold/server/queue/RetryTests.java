package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.fields;
import static dev.leasehold.server.queue.QueueClient.ids;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another turn: now, later, or never. */
abstract class RetryTests extends QueueEndpointsTests {
    @Test
    void an_item_that_is_retried_can_be_leased_again() {
        String queue = newQueue();
        client.produce(queue, "a");
        String id = leaseOne(queue).path("id").asText();
        assertThat(client.retry(queue, fields("id", id)).text()).isEqualTo("{\"code\":200}");

        JsonNode again = client.lease(queue, 1);
        assertThat(list(again).get(0).path("attempts").asInt()).isEqualTo(2);
        client.complete(queue, 0, ids(again)).ok();
    }

    @Test
    void an_item_that_is_dead_goes_or_goes_to_the_dead_queue() {
        String queue = newQueue();
        client.produce(queue, "a");
        client.retry(queue, fields("id", leaseOne(queue).path("id").asText(), "dead", true))
                .ok();
        assertNothingToLease(queue);
        assertThat(client.items(queue)).isEmpty();

        String dead = newQueue();
        String other = newQueue("dead_queue", dead);
        client.produce(other, "b");
        String id = leaseOne(other).path("id").asText();
        client.retry(other, fields("id", id, "dead", true)).ok();
        assertThat(texts(client.items(dead))).containsExactly("b");
        assertThat(client.items(dead).get(0).path("source_id").asText()).isEqualTo(id);
    }

    @Test
    void an_item_can_be_retried_later() {
        String queue = newQueue();
        client.produce(queue, "a");
        String id = leaseOne(queue).path("id").asText();
        String later = now().plusSeconds(60).toString();
        client.retry(queue, fields("id", id, "retry_at", later)).ok();
        assertThat(client.items(queue)).isEmpty();
        assertThat(texts(client.scheduled(queue))).containsExactly("a");
        client.retry(queue, fields("id", id)).isRefusal(400, "invalid storage id; '" + id + "' does not exist");

        outlive(Duration.ofMinutes(2));
        await(() -> client.scheduled(queue).isEmpty());
        assertThat(leaseOne(queue).path("attempts").asInt()).isEqualTo(2);
    }

    @Test
    void a_time_in_the_past_is_now() {
        String queue = newQueue();
        client.produce(queue, "a");
        String id = leaseOne(queue).path("id").asText();
        client.retry(queue, fields("id", id, "retry_at", now().minusSeconds(60).toString()))
                .ok();
        assertThat(client.scheduled(queue)).isEmpty();
        assertThat(leaseOne(queue).path("attempts").asInt()).isEqualTo(2);
    }

    @Test
    void an_item_that_is_retried_stands_at_the_tail_under_a_new_id() {
        String queue = newQueue();
        client.produce(queue, "a", "b", "c");
        String id = leaseOne(queue).path("id").asText();
        client.retry(queue, fields("id", id)).ok();

        List<JsonNode> items = list(client.lease(queue, 3));
        assertThat(texts(items)).containsExactly("b", "c", "a");
        assertThat(items.get(2).path("id").asText()).isNotEqualTo(id);
        assertThat(items.get(2).path("attempts").asInt()).isEqualTo(2);
    }

    @Test
    void what_a_retry_refuses() {
        String queue = newQueue();
        client.post("queue.retry").isRefusal(400, "queue name is invalid; queue name cannot be empty");
        client.post("queue.retry", "queue_name", queue)
                .isRefusal(400, "items is invalid; list of items cannot be empty");
        client.post("queue.retry", "queue_name", queue, "partition", 65_234)
                .isRefusal(400, "partition is invalid; '65234' is not a valid partition");
        client.post("queue.retry", "queue_name", queue, "partition", 7, "items", List.of(fields("id", "x")))
                .isRefusal(400, "partition is invalid; '7' is not a valid partition");
        client.retry(queue, fields("id", "invalid-id"))
                .isRefusal(400, "invalid storage id; 'invalid-id': Valid encoded KSUIDs are 27 characters");
        String unknown = "2srkBa0bLEOPWzmxv9qBVuOqXYZ";
        client.retry(queue, fields("id", unknown))
                .isRefusal(400, "invalid storage id; '" + unknown + "' does not exist");
        client.post(
                        "queue.retry",
                        "queue_name",
                        queue,
                        "items",
                        range(1001).stream().map(i -> fields("id", unknown)).toList())
                .isRefusal(400, "items is invalid; max_complete_batch_size is 1000 but received 1001");
    }

    @Test
    void only_leased_items_can_be_retried() {
        String queue = newQueue();
        String id = client.importItems(queue, List.of(fields("payload", "YQ==")))
                .get(0)
                .path("id")
                .asText();
        client.retry(queue, fields("id", id))
                .isRefusal(400, "item(s) cannot be retried; '" + id + "' is not marked as leased");
    }
}
