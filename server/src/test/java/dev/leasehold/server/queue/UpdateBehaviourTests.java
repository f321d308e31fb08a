package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a changed queue does with the items that are in it, and with those that come. */
abstract class UpdateBehaviourTests extends QueueEndpointsTests {
    private void update(String queue, Object... namesAndValues) {
        Object[] all = new Object[namesAndValues.length + 2];
        all[0] = "queue_name";
        all[1] = queue;
        System.arraycopy(namesAndValues, 0, all, 2, namesAndValues.length);
        client.post("queues.update", all).ok();
    }

    @Test
    void fewer_attempts_count_for_items_that_are_there() {
        String dead = newQueue();
        String queue = newQueue("max_attempts", 5, "dead_queue", dead);
        client.produce(queue, "a");
        leaseOne(queue);
        update(queue, "max_attempts", 2, "dead_queue", dead);
        outlive(LEASE);
        awaitNoneLeased(queue);
        lapse(queue);
        awaitEmpty(queue);
        assertThat(texts(client.items(dead))).containsExactly("a");
    }

    @Test
    void more_attempts_count_for_items_that_are_there() {
        String dead = newQueue();
        String queue = newQueue("max_attempts", 2, "dead_queue", dead);
        client.produce(queue, "a");
        lapse(queue);
        awaitNoneLeased(queue);
        leaseOne(queue);
        update(queue, "max_attempts", 5, "dead_queue", dead);
        outlive(LEASE);
        awaitNoneLeased(queue);
        assertThat(leaseOne(queue).path("attempts").asInt()).isEqualTo(3);
        assertThat(client.items(dead)).isEmpty();
    }

    @Test
    void the_limit_of_attempts_can_be_taken_away() {
        String dead = newQueue();
        String queue = newQueue("max_attempts", 2, "dead_queue", dead, "expire_timeout", "24h");
        client.produce(queue, "a");
        leaseOne(queue);
        update(queue, "max_attempts", 0, "dead_queue", dead);
        for (int attempt = 2; attempt <= 6; attempt++) {
            outlive(LEASE);
            awaitNoneLeased(queue);
            assertThat(leaseOne(queue).path("attempts").asInt()).isEqualTo(attempt);
        }
        assertThat(client.items(dead)).isEmpty();
    }

    @Test
    void a_new_lease_timeout_is_for_new_leases() {
        String queue = newQueue("lease_timeout", "5m");
        client.produce(queue, "old", "new");
        JsonNode old = leaseOne(queue);
        assertNear(moment(old, "lease_deadline"), now().plus(Duration.ofMinutes(5)));
        update(queue, "lease_timeout", "1m");
        assertNear(moment(leaseOne(queue), "lease_deadline"), now().plus(Duration.ofMinutes(1)));

        outlive(Duration.ofMinutes(2));
        await(() -> leasedIn(queue, 0) == 1);
        assertThat(client.items(queue).get(0).path("id")).isEqualTo(old.path("id"));
        assertThat(client.items(queue).get(0).path("is_leased").asBoolean()).isTrue();
        outlive(Duration.ofMinutes(4));
        awaitNoneLeased(queue);
    }

    @Test
    void a_new_expire_timeout_is_for_new_items() {
        String queue = newQueue("expire_timeout", "10m");
        client.produce(queue, "old");
        Instant before = moment(client.items(queue).get(0), "expire_deadline");
        update(queue, "expire_timeout", "2m");
        client.produce(queue, "new");

        assertThat(moment(client.items(queue).get(0), "expire_deadline")).isEqualTo(before);
        assertNear(moment(client.items(queue).get(1), "expire_deadline"), now().plus(Duration.ofMinutes(2)));
    }

    @Test
    void a_dead_queue_can_be_added_changed_and_taken_away() {
        String first = newQueue();
        String second = newQueue();
        String queue = newQueue("max_attempts", 1);
        client.produce(queue, "a");
        update(queue, "max_attempts", 1, "dead_queue", first);
        lapse(queue);
        awaitEmpty(queue);
        assertThat(texts(client.items(first))).containsExactly("a");

        update(queue, "max_attempts", 1, "dead_queue", second);
        client.produce(queue, "b");
        lapse(queue);
        awaitEmpty(queue);
        assertThat(texts(client.items(second))).containsExactly("b");

        update(queue, "max_attempts", 1);
        client.produce(queue, "c");
        lapse(queue);
        awaitEmpty(queue);
        assertThat(texts(client.items(first))).containsExactly("a");
        assertThat(texts(client.items(second))).containsExactly("b");
    }
}
