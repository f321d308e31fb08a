package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.ids;
import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What was acknowledged survives the server; who waits when it goes is told. */
abstract class RestartTests extends QueueEndpointsTests {
    @Test
    void items_leases_and_completes_survive_a_restart() {
        String produced = newQueue();
        client.produceMany(produced, 5);
        String leased = newQueue();
        client.produceMany(leased, 5);
        client.lease(leased, 5);
        String completed = newQueue();
        client.produceMany(completed, 10);
        List<String> ids = ids(client.lease(completed, 10));
        client.complete(completed, 0, ids.subList(0, 5)).ok();
        restart();

        assertThat(client.items(produced)).hasSize(5);
        assertThat(leasedIn(leased, 0)).isEqualTo(5);
        assertThat(client.items(completed))
                .extracting(item -> item.path("id").asText())
                .isEqualTo(ids.subList(5, 10));
        client.complete(completed, 0, ids.subList(5, 10)).ok();
        outlive(LEASE);
        assertThat(awaitNoneLeased(leased)).hasSize(5);
        assertThat(list(client.lease(produced, 10))).hasSize(5);
    }

    @Test
    void who_waits_when_the_server_goes_is_told() {
        String queue = newQueue();
        CompletableFuture<Answer> waiting = client.leaseAsync(queue, "client", 1, "30s");
        awaitWaiting(queue, 1);
        restart();
        waiting.join().isRefusal(453, "queue is shutting down");
    }

    @Test
    void everybody_is_answered_or_hung_up_on_when_the_server_goes() throws Exception {
        String queue = newQueue();
        List<CompletableFuture<Answer>> calls = range(20).stream()
                .map(i -> client.postAsync(
                        "queue.produce", "queue_name", queue, "request_timeout", "1m", "items", List.of(Map.of())))
                .toList();
        restart();

        int stored = 0;
        for (CompletableFuture<Answer> call : calls) {
            stored += wasStored(call) ? 1 : 0;
        }
        assertThat(client.items(queue).size()).isGreaterThanOrEqualTo(stored);
    }

    private static boolean wasStored(CompletableFuture<Answer> call) throws Exception {
        try {
            Answer answer = TestWaits.get(call);
            if (answer.status() != 200) {
                assertThat(answer.status()).isEqualTo(453);
                assertThat(answer.message()).endsWith("is shutting down");
            }
            return answer.status() == 200;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(IOException.class);
            return false;
        }
    }

    @Test
    void every_item_is_leased_exactly_once_whatever_it_is_made_of() {
        Random random = new Random(20_260_801);
        for (int round = 0; round < 5; round++) {
            String queue = newQueue();
            int count = 1 + random.nextInt(60);
            String text = random.ints(random.nextInt(40), 1, 0xD800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String[] texts = range(count).stream().map(i -> i + "-" + text).toArray(String[]::new);
            client.produce(queue, texts);
            assertThat(texts(client.items(queue))).containsExactly(texts);
            assertThat(drained(queue, 1 + random.nextInt(20), count)).containsExactly(texts);
            assertNothingToLease(queue);
            client.post("queues.delete", "queue_name", queue).ok();
        }
    }

    private List<String> drained(String queue, int batch, int count) {
        List<String> seen = new ArrayList<>();
        while (seen.size() < count) {
            JsonNode leased = client.lease(queue, batch);
            seen.addAll(texts(list(leased)));
            client.complete(queue, 0, ids(leased)).ok();
        }
        return seen;
    }
}
