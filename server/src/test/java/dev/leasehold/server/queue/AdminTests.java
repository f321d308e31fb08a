package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Creating, finding, changing, deleting queues. */
abstract class AdminTests extends QueueEndpointsTests {
    @Test
    void a_queue_is_shown_as_it_was_created() {
        Instant before = now();
        String dead = newQueue();
        String queue = newQueue(
                "lease_timeout",
                "1m",
                "expire_timeout",
                "10m",
                "max_attempts",
                10,
                "dead_queue",
                dead,
                "reference",
                "r-1",
                "requested_partitions",
                3);

        JsonNode info = client.post("queues.info", "queue_name", queue).ok();
        assertThat(info.path("queue_name").asText()).isEqualTo(queue);
        assertThat(info.path("lease_timeout").asText()).isEqualTo("1m0s");
        assertThat(info.path("expire_timeout").asText()).isEqualTo("10m0s");
        assertThat(info.path("max_attempts").asInt()).isEqualTo(10);
        assertThat(info.path("dead_queue").asText()).isEqualTo(dead);
        assertThat(info.path("reference").asText()).isEqualTo("r-1");
        assertThat(info.path("requested_partitions").asInt()).isEqualTo(3);
        assertThat(info.path("namespace").asText()).isEqualTo("_system");
        assertThat(info.has("partitions")).isFalse();
        assertThat(moment(info, "created_at")).isBetween(before, now());
        assertThat(moment(info, "updated_at")).isBetween(before, now());
        assertThat(list(client.post("queues.list", "pivot", queue, "limit", 1))).containsExactly(info);
    }

    @Test
    void an_update_overwrites_some_settings_and_keeps_others() {
        String dead = newQueue();
        String queue = newQueue(
                "lease_timeout",
                "2m",
                "expire_timeout",
                "20m",
                "max_attempts",
                10,
                "dead_queue",
                dead,
                "reference",
                "r-1");
        outlive(Duration.ofSeconds(1));
        assertThat(client.post("queues.update", "queue_name", queue, "lease_timeout", "3m")
                        .text())
                .isEqualTo("{\"code\":200}");

        JsonNode info = client.post("queues.info", "queue_name", queue).ok();
        assertThat(info.path("lease_timeout").asText()).isEqualTo("3m0s");
        assertThat(info.path("expire_timeout").asText()).isEqualTo("20m0s");
        assertThat(info.path("requested_partitions").asInt()).isEqualTo(1);
        assertThat(info.has("max_attempts")).isFalse();
        assertThat(info.has("dead_queue")).isFalse();
        assertThat(info.has("reference")).isFalse();
        assertThat(moment(info, "created_at")).isBefore(moment(info, "updated_at"));
        assertThat(moment(info, "updated_at")).isBeforeOrEqualTo(now());
    }

    @Test
    void everything_can_be_updated_but_the_namespace() {
        String dead = newQueue();
        String queue = newQueue();
        client.post(
                        "queues.update",
                        "queue_name",
                        queue,
                        "lease_timeout",
                        "90s",
                        "expire_timeout",
                        "24h",
                        "max_attempts",
                        7,
                        "dead_queue",
                        dead,
                        "reference",
                        "r-2",
                        "requested_partitions",
                        2,
                        "namespace",
                        "elsewhere")
                .ok();
        JsonNode info = client.post("queues.info", "queue_name", queue).ok();
        assertThat(info.path("lease_timeout").asText()).isEqualTo("1m30s");
        assertThat(info.path("expire_timeout").asText()).isEqualTo("24h0m0s");
        assertThat(info.path("max_attempts").asInt()).isEqualTo(7);
        assertThat(info.path("dead_queue").asText()).isEqualTo(dead);
        assertThat(info.path("reference").asText()).isEqualTo("r-2");
        assertThat(info.path("requested_partitions").asInt()).isEqualTo(2);
        assertThat(info.path("namespace").asText()).isEqualTo("_system");
    }

    @Test
    void queues_come_in_pages_by_name_and_only_those_of_their_namespace() {
        String namespace = "tenant-" + UUID.randomUUID();
        range(50).forEach(i -> client.create(name(namespace, i), "namespace", namespace));
        List<String> all = range(50).stream().map(i -> name(namespace, i)).toList();

        assertThat(page(namespace, "", 0)).isEqualTo(all);
        assertThat(page(namespace, "", 20_000)).isEqualTo(all);
        assertThat(page(namespace, "", 30)).isEqualTo(all.subList(0, 30));
        assertThat(page(namespace, "", 1)).isEqualTo(all.subList(0, 1));
        assertThat(page(namespace, all.get(10), 1)).isEqualTo(all.subList(10, 11));
        assertThat(page(namespace, all.get(10), 10)).isEqualTo(all.subList(10, 20));
        assertThat(page(namespace, all.get(19), 10)).isEqualTo(all.subList(19, 29));
        assertThat(page(namespace, "aaaaa-00000", 1)).isEqualTo(all.subList(0, 1));
        assertThat(page(namespace, "zzzzz-99999", 10)).isEmpty();
        assertThat(page("", namespace, 1000)).doesNotContainAnyElementsOf(all);

        client.post("queues.delete", "queue_name", all.get(10), "force", true).ok();
        assertThat(page(namespace, all.get(10), 1)).isEqualTo(all.subList(11, 12));
    }

    private static String name(String namespace, int number) {
        return String.format("%s-queue-%05d", namespace, number);
    }

    private List<String> page(String namespace, String pivot, int limit) {
        return list(client.post("queues.list", "namespace", namespace, "pivot", pivot, "limit", limit)).stream()
                .map(info -> info.path("queue_name").asText())
                .toList();
    }

    @Test
    void a_queue_without_a_namespace_is_listed_under_system() {
        String queue = newQueue();
        List<JsonNode> found = list(client.post("queues.list", "namespace", "_system", "pivot", queue, "limit", 1));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).path("queue_name").asText()).isEqualTo(queue);
        assertThat(found.get(0).path("namespace").asText()).isEqualTo("_system");
    }

    @Test
    void a_deleted_queue_is_gone_with_all_that_was_in_it() {
        String queue = newQueue();
        client.produce(queue, "a");
        assertThat(client.post("queues.delete", "queue_name", queue).text()).isEqualTo("{\"code\":200}");
        String missing = "queue does not exist; no such queue named '" + queue + "'";
        client.post("queues.delete", "queue_name", queue).isRefusal(400, missing);
        client.post("queues.info", "queue_name", queue).isRefusal(400, missing);
        client.post("queue.stats", "queue_name", queue).isRefusal(400, missing);
        client.create(queue);
        assertThat(client.items(queue)).isEmpty();
    }
}
