package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.fields;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases end; items have a number of attempts and a time to live, and then they go, or go to the dead queue. */
abstract class LifecycleTests extends QueueEndpointsTests {
    @Test
    void an_item_whose_lease_ended_stands_at_the_tail_under_a_new_id() {
        String queue = newQueue("max_attempts", 2);
        client.produce(queue, "a");
        String old = leaseOne(queue).path("id").asText();
        client.produce(queue, "b", "c", "d", "e");
        outlive(LEASE);
        awaitNoneLeased(queue);

        List<JsonNode> after = list(client.post("storage/items.list", "queue_name", queue, "pivot", old));
        assertThat(texts(after)).containsExactly("b", "c", "d", "e", "a");
        JsonNode item = after.get(4);
        String id = item.path("id").asText();
        assertThat(id).isNotEqualTo(old);
        assertThat(item.path("attempts").asInt()).isEqualTo(1);
        assertThat(item.path("lease_deadline").asText()).isEqualTo(NO_TIME);

        client.complete(queue, 0, List.of(old)).isRefusal(400, "invalid storage id; '" + old + "' does not exist");
        client.complete(queue, 0, List.of(id))
                .isRefusal(400, "item(s) cannot be completed; '" + id + "' is not marked as leased");

        JsonNode leased = client.lease(queue, 5);
        assertThat(QueueClient.ids(leased)).contains(id);
        assertThat(leasedIn(queue, 0)).isEqualTo(5);
        client.complete(queue, 0, QueueClient.ids(leased)).ok();
        assertThat(client.items(queue)).isEmpty();
    }

    @Test
    void without_a_limit_an_item_is_leased_again_and_again() {
        String queue = newQueue("expire_timeout", "24h");
        client.produce(queue, "a");
        for (int attempt = 1; attempt <= 5; attempt++) {
            assertThat(leaseOne(queue).path("attempts").asInt()).isEqualTo(attempt);
            outlive(LEASE);
            assertThat(awaitNoneLeased(queue).get(0).path("attempts").asInt()).isEqualTo(attempt);
        }
    }

    @Test
    void after_its_last_attempt_an_item_is_in_the_dead_queue() {
        String dead = newQueue();
        String queue = newQueue("max_attempts", 2, "dead_queue", dead);
        client.produceItems(queue, List.of(fields("utf8", "a", "reference", "r", "encoding", "e", "kind", "k")));
        lapse(queue);
        awaitNoneLeased(queue);
        String last = lapse(queue);
        awaitEmpty(queue);

        List<JsonNode> letters = client.items(dead);
        assertThat(texts(letters)).containsExactly("a");
        JsonNode letter = letters.get(0);
        assertThat(letter.path("source_id").asText()).isEqualTo(last);
        assertThat(letter.path("reference").asText()).isEqualTo("r");
        assertThat(letter.path("encoding").asText()).isEqualTo("e");
        assertThat(letter.path("kind").asText()).isEqualTo("k");
        assertThat(letter.has("is_leased")).isFalse();
        assertThat(letter.has("attempts")).isFalse();
        assertThat(leaseOne(dead).path("attempts").asInt()).isEqualTo(1);
    }

    @Test
    void an_item_that_was_scheduled_first_goes_the_same_way() {
        String dead = newQueue();
        String queue = newQueue("max_attempts", 1, "dead_queue", dead);
        client.produceItems(
                queue,
                List.of(fields("utf8", "a", "enqueue_at", now().plusSeconds(60).toString())));
        outlive(Duration.ofMinutes(1));
        await(() -> !client.items(queue).isEmpty());
        lapse(queue);
        awaitEmpty(queue);
        assertThat(texts(client.items(dead))).containsExactly("a");
        assertThat(client.items(dead).get(0).path("source_id").asText()).isNotEmpty();
    }

    @Test
    void without_a_dead_queue_an_item_goes_after_its_last_attempt() {
        String queue = newQueue("max_attempts", 2);
        client.produce(queue, "a");
        lapse(queue);
        awaitNoneLeased(queue);
        lapse(queue);
        awaitEmpty(queue);
        assertThat(client.stats(queue, 0).path("total").asInt()).isZero();
    }

    @Test
    void an_item_that_nobody_took_goes_when_its_time_is_over() {
        String dead = newQueue();
        String queue = newQueue("lease_timeout", "1s", "expire_timeout", "10s");
        String kept = newQueue("lease_timeout", "1s", "expire_timeout", "10s", "dead_queue", dead);
        client.produce(queue, "a");
        client.produce(kept, "b");
        outlive(Duration.ofSeconds(15));
        awaitEmpty(queue);
        awaitEmpty(kept);
        assertThat(texts(client.items(dead))).containsExactly("b");
    }

    @Test
    void a_source_id_is_kept_and_taken_once_while_its_item_is_there() {
        String queue = newQueue();
        client.importItems(queue, List.of(fields("source_id", "s-1", "payload", "YQ=="), fields("payload", "Yg==")));
        List<JsonNode> again = client.importItems(queue, List.of(fields("source_id", "s-1", "payload", "Yw==")));
        assertThat(again).hasSize(1);
        assertThat(again.get(0).has("id")).isFalse();

        List<JsonNode> items = client.items(queue);
        assertThat(texts(items)).containsExactly("a", "b");
        assertThat(items.get(0).path("source_id").asText()).isEqualTo("s-1");
        assertThat(items.get(1).has("source_id")).isFalse();

        client.complete(queue, 0, QueueClient.ids(client.lease(queue, 2))).ok();
        client.importItems(queue, List.of(fields("source_id", "s-1", "payload", "Yw==")));
        assertThat(texts(client.items(queue))).containsExactly("c");
    }
}
