package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Where items go if there are several partitions, and from where they are leased. */
abstract class PartitionTests extends QueueEndpointsTests {
    @Test
    void items_go_where_there_is_least() {
        String queue = newQueue("requested_partitions", 2);
        client.produceMany(queue, 10);
        client.produceMany(queue, 11);
        assertThat(client.items(queue, 0)).hasSize(10);
        assertThat(client.items(queue, 1)).hasSize(11);

        JsonNode first = client.lease(queue, 10);
        assertThat(first.path("queue_name").asText()).isEqualTo(queue);
        assertThat(first.path("partition").asInt()).isEqualTo(1);
        assertThat(list(client.lease(queue, 10))).hasSize(10);
        assertThat(leasedIn(queue, 0) + leasedIn(queue, 1)).isEqualTo(20);
        assertThat(client.items(queue, 0).size() + client.items(queue, 1).size())
                .isEqualTo(21);
    }

    @Test
    void items_are_leased_where_there_is_most() {
        String queue = newQueue("requested_partitions", 2);
        for (int i = 0; i < 5; i++) {
            client.produceMany(queue, 10);
        }
        assertThat(client.items(queue, 0)).hasSize(30);
        assertThat(client.items(queue, 1)).hasSize(20);
        client.lease(queue, 5);
        client.lease(queue, 10);
        client.lease(queue, 20);
        assertThat(leasedIn(queue, 0)).isEqualTo(15);
        assertThat(leasedIn(queue, 1)).isEqualTo(20);
        assertThat(client.stats(queue, 1).path("partition").asInt()).isEqualTo(1);
        assertThat(client.stats(queue, 1).path("total_leased").asInt()).isEqualTo(20);
    }

    @Test
    void one_consumer_empties_many_partitions() {
        String queue = newQueue("requested_partitions", 10);
        range(10).forEach(i -> client.produceMany(queue, 5));
        int leased = 0;
        while (leased < 50) {
            JsonNode batch = client.lease(queue, 5);
            leased += list(batch).size();
        }
        for (int partition : range(10)) {
            assertThat(client.items(queue, partition)).hasSize(5);
            assertThat(leasedIn(queue, partition)).isEqualTo(5);
        }
    }

    @Test
    void those_who_wait_share_what_comes_into_any_partition() {
        String queue = newQueue("requested_partitions", 5);
        List<CompletableFuture<Answer>> waiting = range(5).stream()
                .map(i -> client.leaseAsync(queue, "client-" + i, 10, "30s"))
                .toList();
        awaitWaiting(queue, 5);
        client.produceMany(queue, 10);
        assertThat(waiting).allSatisfy(answer -> assertThat(list(answer.join())).hasSize(2));
    }
}
