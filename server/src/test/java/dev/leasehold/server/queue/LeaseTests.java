package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.fields;
import static dev.leasehold.server.queue.QueueClient.ids;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leasing: in order, shared among those who wait, given back when they go. */
abstract class LeaseTests extends QueueEndpointsTests {
    private static final String NOTHING = "request timeout; no items are in the queue, try again";

    @Test
    void a_lease_takes_the_first_items_and_the_next_one_those_after() {
        String queue = newQueue();
        client.produceMany(queue, 500);
        List<String> first = ids(client.lease(queue, 10));
        List<String> second = ids(client.lease(queue, 10));

        List<JsonNode> stored = client.items(queue);
        assertThat(stored).hasSize(500);
        List<JsonNode> leased = stored.subList(0, 20);
        assertThat(leased).extracting(item -> item.path("id").asText()).startsWith(first.toArray(String[]::new));
        assertThat(leased).extracting(item -> item.path("id").asText()).endsWith(second.toArray(String[]::new));
        assertThat(leased).allSatisfy(item -> {
            assertThat(item.path("is_leased").asBoolean()).isTrue();
            assertThat(moment(item, "lease_deadline")).isBetween(now(), now().plus(LEASE));
        });
        assertThat(stored.subList(20, 500))
                .noneMatch(item -> item.path("is_leased").asBoolean());
    }

    @Test
    void those_who_wait_get_what_they_asked_for_if_there_is_enough() {
        String queue = newQueue();
        List<CompletableFuture<Answer>> waiting = waitFor(queue, 5, 10, 20);
        client.produceMany(queue, 50);

        assertThat(sizes(waiting)).containsExactly(5, 10, 20);
        assertThat(leasedIn(queue, 0)).isEqualTo(35);
    }

    @Test
    void those_who_wait_share_what_there_is_if_it_is_not_enough() {
        String queue = newQueue();
        List<CompletableFuture<Answer>> waiting = waitFor(queue, 20, 6, 1);
        client.produceMany(queue, 23);

        assertThat(sizes(waiting)).containsExactly(16, 6, 1);
    }

    @Test
    void many_consumers_at_one_partition_each_get_their_share() {
        String queue = newQueue();
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<Answer>> waiting = waitFor(queue, 2, 2, 2, 2, 2);
            client.produceMany(queue, 10);
            assertThat(sizes(waiting)).containsExactly(2, 2, 2, 2, 2);
        }
        assertThat(leasedIn(queue, 0)).isEqualTo(50);
    }

    @Test
    void those_who_wait_in_vain_are_told_to_try_again() {
        String queue = newQueue();
        List<CompletableFuture<Answer>> waiting = List.of(
                client.leaseAsync(queue, "a", 20, "400ms"),
                client.leaseAsync(queue, "b", 6, "400ms"),
                client.leaseAsync(queue, "c", 1, "600ms"));
        waiting.forEach(answer -> answer.join().isRefusal(454, NOTHING));
    }

    /** Sends a lease for each batch size, and returns when all of them wait. */
    private List<CompletableFuture<Answer>> waitFor(String queue, int... batches) {
        List<CompletableFuture<Answer>> waiting = range(batches.length).stream()
                .map(i -> client.leaseAsync(queue, "client-" + i, batches[i], "5m"))
                .toList();
        awaitWaiting(queue, batches.length);
        return waiting;
    }

    private static List<Integer> sizes(List<CompletableFuture<Answer>> answers) {
        return answers.stream().map(answer -> list(answer.join().ok()).size()).toList();
    }

    @Test
    void a_client_waits_only_once_at_a_queue() {
        String queue = newQueue();
        CompletableFuture<Answer> first = client.leaseAsync(queue, "twin", 1, "5m");
        awaitWaiting(queue, 1);
        client.leaseAsync(queue, "twin", 1, "5m")
                .join()
                .isRefusal(400, "duplicate client id; a client cannot make multiple leased requests to the same queue");
        client.produce(queue, "a");
        assertThat(texts(list(first.join().ok()))).containsExactly("a");
        client.leaseAsync(queue, "twin", 1, "50ms").join().isRefusal(454, NOTHING);
    }

    @Test
    void a_client_that_hangs_up_is_taken_out_and_its_items_go_to_others() {
        String queue = newQueue();
        CompletableFuture<?> waiting = client.sendLease(queue, "impatient");
        awaitWaiting(queue, 1);
        waiting.cancel(true);
        awaitWaiting(queue, 0);
        client.produce(queue, "a");

        JsonNode item = leaseOne(queue);
        assertThat(text(item)).isEqualTo("a");
        assertThat(item.path("attempts").asInt()).isEqualTo(1);
    }

    @Test
    void who_waits_at_a_queue_that_is_deleted_is_told() {
        String queue = newQueue();
        CompletableFuture<Answer> waiting = client.leaseAsync(queue, "client", 1, "5m");
        awaitWaiting(queue, 1);
        client.post("queues.delete", "queue_name", queue).ok();
        waiting.join().isRefusal(453, "queue is shutting down");
    }

    @Test
    void who_waits_gets_what_becomes_due_is_imported_or_comes_back() {
        String queue = newQueue();
        CompletableFuture<Answer> first = client.leaseAsync(queue, "client", 1, "5m");
        awaitWaiting(queue, 1);
        client.produceItems(
                queue,
                List.of(fields(
                        "utf8", "later", "enqueue_at", now().plusSeconds(60).toString())));
        outlive(Duration.ofMinutes(1));
        assertThat(texts(list(first.join()))).containsExactly("later");

        CompletableFuture<Answer> second = client.leaseAsync(queue, "client", 1, "5m");
        awaitWaiting(queue, 1);
        outlive(LEASE);
        assertThat(texts(list(second.join()))).containsExactly("later");

        CompletableFuture<Answer> third = client.leaseAsync(queue, "client", 1, "5m");
        awaitWaiting(queue, 1);
        client.importItems(queue, List.of(fields("payload", "aW1wb3J0ZWQ=")));
        assertThat(texts(list(third.join()))).containsExactly("imported");
    }

    @Test
    void a_lease_of_megabytes_arrives_whole() {
        String queue = newQueue();
        String large = "x".repeat(500_000);
        client.produce(queue, large, large, large, large);
        assertThat(texts(list(client.lease(queue, 10)))).containsExactly(large, large, large, large);
    }

    @Test
    void a_lease_can_be_extended() {
        String queue = newQueue();
        client.produce(queue, "a");
        List<String> ids = ids(client.lease(queue, 1));
        JsonNode answer = client.post("queue.extend", "queue_name", queue, "ids", ids, "lease_timeout", "10m")
                .ok();
        assertThat(answer.fieldNames()).toIterable().containsExactly("lease_deadline");
        assertNear(moment(answer, "lease_deadline"), now().plus(Duration.ofMinutes(10)));

        outlive(Duration.ofMinutes(5));
        client.complete(queue, 0, ids).ok();
        client.post("queue.extend", "queue_name", queue, "ids", ids)
                .isRefusal(400, "invalid storage id; '" + ids.get(0) + "' does not exist");
    }

    @Test
    void items_that_were_not_begun_can_be_given_back() {
        String queue = newQueue();
        client.produce(queue, "a", "b");
        List<String> ids = ids(client.lease(queue, 1));
        assertThat(client.post("queue.give_back", "queue_name", queue, "ids", ids)
                        .text())
                .isEqualTo("{\"code\":200}");

        JsonNode again = leaseOne(queue);
        assertThat(again.path("id").asText()).isGreaterThan(ids.get(0));
        assertThat(again.path("attempts").asInt()).isEqualTo(1);
        client.complete(queue, 0, ids).isRefusal(400, "invalid storage id; '" + ids.get(0) + "' does not exist");
    }
}
