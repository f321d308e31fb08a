package dev.leasehold.server.queue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What is refused about queues, and in which words. */
abstract class AdminErrorsTests extends QueueEndpointsTests {
    private static final String LONG = "x".repeat(2001);

    private void refusedOnCreate(String message, Object... namesAndValues) {
        client.post("queues.create", namesAndValues).isRefusal(400, message);
    }

    @Test
    void a_name_keeps_the_rules() {
        for (String operation : new String[] {"queues.create", "queues.update", "queues.delete"}) {
            client.post(operation).isRefusal(400, "queue name is invalid; queue name cannot be empty");
            client.post(operation, "queue_name", "   ")
                    .isRefusal(400, "queue name is invalid; queue name cannot be empty");
            client.post(operation, "queue_name", "invalid~queue")
                    .isRefusal(400, "queue name is invalid; 'invalid~queue' cannot contain '~' character");
            client.post(operation, "queue_name", "invalid queue")
                    .isRefusal(400, "queue name is invalid; 'invalid queue' cannot contain whitespace");
            client.post(operation, "queue_name", LONG)
                    .isRefusal(400, "queue name is invalid; cannot be greater than '512' characters");
        }
    }

    @Test
    void timeouts_of_a_new_queue_keep_the_rules() {
        String name = newName();
        refusedOnCreate(
                "lease timeout is invalid; cannot be empty",
                "queue_name",
                name,
                "expire_timeout",
                "24h",
                "requested_partitions",
                1);
        refusedOnCreate(
                "expire timeout is invalid; cannot be empty",
                "queue_name",
                name,
                "lease_timeout",
                "24h",
                "requested_partitions",
                1);
        refusedOnCreate(
                "lease timeout is too long; 1h0m0s cannot be greater than the expire timeout 30m0s",
                "queue_name",
                name,
                "lease_timeout",
                "1h",
                "expire_timeout",
                "30m",
                "requested_partitions",
                1);
        refusedOnCreate(
                "lease timeout is invalid; cannot be greater than '15' characters",
                "queue_name",
                name,
                "lease_timeout",
                LONG,
                "expire_timeout",
                "30m");
        refusedOnCreate(
                "expire timeout is invalid; cannot be greater than '15' characters",
                "queue_name",
                name,
                "lease_timeout",
                "1m",
                "expire_timeout",
                LONG);
        refusedOnCreate(
                "lease timeout is invalid; time: invalid duration \"foo\" - expected format: 8m, 15m or 1h",
                "queue_name",
                name,
                "lease_timeout",
                "foo",
                "expire_timeout",
                "30m");
        refusedOnCreate(
                "expire timeout is invalid; time: invalid duration \"foo\" - expected format: 60m, 2h or 24h",
                "queue_name",
                name,
                "lease_timeout",
                "bar",
                "expire_timeout",
                "foo");
    }

    @Test
    void settings_of_a_new_queue_keep_the_rules() {
        String name = newName();
        Object[] good = {"queue_name", name, "lease_timeout", "1m", "expire_timeout", "10m", "requested_partitions", 1};
        refusedOnCreate(
                "reference field is invalid; cannot be greater than '2000' characters", with(good, "reference", LONG));
        refusedOnCreate("max attempts is invalid; cannot be greater than 65536", with(good, "max_attempts", 65_537));
        refusedOnCreate("max attempts is invalid; cannot be negative number", with(good, "max_attempts", -1));
        refusedOnCreate("partitions is invalid; cannot be less than 1", with(good, "requested_partitions", 0));
        refusedOnCreate(
                "namespace name is invalid; 'a~b' cannot contain '~' character", with(good, "namespace", "a~b"));
        refusedOnCreate(
                "namespace name is invalid; 'a:b' cannot contain ':' character", with(good, "namespace", "a:b"));
        refusedOnCreate("namespace name is invalid; 'a b' cannot contain whitespace", with(good, "namespace", "a b"));
        refusedOnCreate(
                "namespace name is invalid; cannot be greater than '256' characters", with(good, "namespace", LONG));
        refusedOnCreate(
                "dead queue is invalid; cannot be greater than '500' characters", with(good, "dead_queue", LONG));
        refusedOnCreate("dead queue is invalid; 'a b' cannot contain whitespace", with(good, "dead_queue", "a b"));
        refusedOnCreate("dead queue is invalid; 'a~b' cannot contain '~' character", with(good, "dead_queue", "a~b"));
        client.create(name);
        refusedOnCreate("invalid queue; '" + name + "' already exists", good);
        refusedOnCreate("invalid queue; '" + name + "' already exists", with(good, "max_attempts", -1));
    }

    /** These fields, with another value for one. */
    private static Object[] with(Object[] fields, String name, Object value) {
        Object[] changed = Arrays.copyOf(fields, fields.length + 2);
        changed[fields.length] = name;
        changed[fields.length + 1] = value;
        return changed;
    }

    @Test
    void a_dead_queue_must_be_there_and_have_none_itself() {
        String name = newName();
        String dead = newQueue();
        String chained = newQueue("dead_queue", dead);
        Object[] good = {"queue_name", name, "lease_timeout", "1m", "expire_timeout", "10m", "requested_partitions", 1};
        refusedOnCreate("dead_queue cannot reference itself", with(good, "dead_queue", name));
        refusedOnCreate(
                "dead_queue does not exist; 'nobody-s' was not found, create it first",
                with(good, "dead_queue", "nobody-s"));
        refusedOnCreate(
                "dead_queue is invalid; '" + chained + "' already has its own dead_queue configured",
                with(good, "dead_queue", chained));
        client.post("queues.create", with(good, "dead_queue", dead)).ok();
    }

    @Test
    void updates_keep_the_rules() {
        String queue = newQueue("lease_timeout", "10m", "expire_timeout", "20m");
        String dead = newQueue();
        String chained = newQueue("dead_queue", dead);
        Object[] good = {"queue_name", queue};
        refusedOnUpdate("queue does not exist; no such queue named 'nobody-s'", "queue_name", "nobody-s");
        refusedOnUpdate(
                "queue does not exist; no such queue named 'nobody-s'", "queue_name", "nobody-s", "max_attempts", -1);
        refusedOnUpdate(
                "reference field is invalid; cannot be greater than '2000' characters", with(good, "reference", LONG));
        refusedOnUpdate(
                "lease timeout is too long; 1h0m0s cannot be greater than the expire timeout 20m0s",
                with(good, "lease_timeout", "1h"));
        refusedOnUpdate(
                "lease timeout is invalid; time: invalid duration \"foo\" - expected format: 8m, 15m or 1h",
                with(good, "lease_timeout", "foo"));
        refusedOnUpdate(
                "expire timeout is invalid; time: invalid duration \"foo\" - expected format: 60m, 2h or 24h",
                with(good, "expire_timeout", "foo"));
        refusedOnUpdate(
                "expire timeout is invalid; cannot be greater than '15' characters",
                with(good, "expire_timeout", LONG));
        refusedOnUpdate(
                "dead queue is invalid; cannot be greater than '500' characters", with(good, "dead_queue", LONG));
        refusedOnUpdate("dead queue is invalid; 'a~b' cannot contain '~' character", with(good, "dead_queue", "a~b"));
        refusedOnUpdate("dead_queue cannot reference itself", with(good, "dead_queue", queue));
        refusedOnUpdate(
                "dead_queue is invalid; '" + chained + "' already has its own dead_queue configured",
                with(good, "dead_queue", chained));
        refusedOnUpdate("max attempts is invalid; cannot be negative number", with(good, "max_attempts", -1));
        refusedOnUpdate("max attempts is invalid; cannot be greater than 65536", with(good, "max_attempts", 65_537));
    }

    private void refusedOnUpdate(String message, Object... namesAndValues) {
        client.post("queues.update", namesAndValues).isRefusal(400, message);
    }

    @Test
    void listings_keep_the_rules() {
        client.post("queues.list", "limit", -1).isRefusal(400, "limit is invalid; limit cannot be negative");
        client.post("queues.list", "limit", Integer.MAX_VALUE)
                .isRefusal(400, "limit is invalid; cannot be greater than 65536");
        client.post("queues.list", "pivot", "a~b")
                .isRefusal(400, "pivot is invalid; 'a~b' cannot contain '~' character");
    }

    @Test
    void whoever_looks_a_queue_up_names_one_that_is_there() {
        for (String operation : new String[] {"queues.info", "queue.stats", "queue.clear", "queue.reload"}) {
            client.post(operation).isRefusal(400, "queue name is invalid; queue name cannot be empty");
            client.post(operation, "queue_name", " \t ")
                    .isRefusal(400, "queue name is invalid; queue name cannot be empty");
            client.post(operation, "queue_name", "invalid~queue")
                    .isRefusal(400, "queue name is invalid; 'invalid~queue' cannot contain '~' character");
            client.post(operation, "queue_name", "nobody s")
                    .isRefusal(400, "queue does not exist; no such queue named 'nobody s'");
        }
    }
}
