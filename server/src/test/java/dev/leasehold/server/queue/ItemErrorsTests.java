package dev.leasehold.server.queue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is refused about items, in which words and in which order. */
abstract class ItemErrorsTests extends QueueEndpointsTests {
    private static final String REQUIRED = "request timeout is required; '5m' is recommended, 15m is the maximum";
    private static final String TOO_LONG =
            "request timeout is invalid; maximum timeout is '15m' but '16m0s' was requested";
    private static final String NO_DURATION =
            "request timeout is invalid; time: invalid duration \"foo\" - expected format: 900ms, 5m or 15m";
    private static final String SOME_ID = "2srkBa0bLEOPWzmxv9qBVuOqXYZ";

    private String queue = "";

    @BeforeAll
    void create() {
        queue = newQueue();
    }

    private void refused(String operation, String message, Object... namesAndValues) {
        client.post(operation, namesAndValues).isRefusal(400, message);
    }

    @Test
    void every_call_names_a_queue_that_is_there() {
        for (String verb : List.of("produce", "lease", "complete", "retry", "extend", "give_back")) {
            String operation = "queue." + verb;
            refused(operation, "queue name is invalid; queue name cannot be empty");
            refused(operation, "queue name is invalid; queue name cannot be empty", "queue_name", "  ");
            refused(
                    operation,
                    "queue name is invalid; 'invalid~queue' cannot contain '~' character",
                    "queue_name",
                    "invalid~queue");
            refused(operation, "queue does not exist; no such queue named 'nobody-s'", "queue_name", "nobody-s");
        }
        refused(
                "queue.produce",
                "queue does not exist; no such queue named 'nobody-s'",
                "queue_name",
                "nobody-s",
                "request_timeout",
                "foo");
    }

    @Test
    void what_a_produce_refuses() {
        List<Map<String, Object>> one = List.of(Map.of());
        refusedProduce("items cannot be empty; at least one item is required", "request_timeout", "1m");
        refusedProduce(
                "items cannot be empty; at least one item is required", "request_timeout", "1m", "items", List.of());
        refusedProduce(REQUIRED, "items", one);
        refusedProduce(REQUIRED, "items", one, "request_timeout", "0s");
        refusedProduce(TOO_LONG, "items", one, "request_timeout", "16m");
        refusedProduce(NO_DURATION, "request_timeout", "foo");
        refusedProduce(
                "request timeout is invalid; minimum timeout is '10ms' but '10ms' was requested",
                "items",
                one,
                "request_timeout",
                "10ms");
        refusedProduce(
                "items is invalid; max_produce_batch_size is 1000 but received 1001",
                "request_timeout",
                "1m",
                "items",
                range(1001).stream().map(i -> Map.of()).toList());
        client.post("queue.produce", "queue_name", newQueue(), "request_timeout", "15m", "items", one)
                .ok();
    }

    private void refusedProduce(String message, Object... namesAndValues) {
        refused("queue.produce", message, atQueue(namesAndValues));
    }

    private Object[] atQueue(Object... namesAndValues) {
        Object[] all = new Object[namesAndValues.length + 2];
        all[0] = "queue_name";
        all[1] = queue;
        System.arraycopy(namesAndValues, 0, all, 2, namesAndValues.length);
        return all;
    }

    @Test
    void what_a_lease_refuses() {
        refusedLease("invalid client id; cannot be empty", "batch_size", 5);
        refusedLease("invalid client id; cannot be empty", "client_id", " ", "request_timeout", "16m");
        refusedLease(NO_DURATION, "request_timeout", "foo");
        refusedLease("invalid batch size; must be greater than zero", "client_id", "c");
        refusedLease("invalid batch size; must be greater than zero", "client_id", "c", "batch_size", -1);
        refusedLease(
                "invalid batch size; max_lease_batch_size is 1000, but 1001 was requested",
                "client_id",
                "c",
                "batch_size",
                1001);
        refusedLease(REQUIRED, "client_id", "c", "batch_size", 5);
        refusedLease(TOO_LONG, "client_id", "c", "batch_size", 5, "request_timeout", "16m");
        refusedLease(
                "request timeout is invalid; minimum timeout is '10ms' but '1ms' was requested",
                "client_id",
                "c",
                "batch_size",
                5,
                "request_timeout",
                "1ms");
        refusedLease(
                "request timeout is invalid; minimum timeout is '10ms' but '10ms' was requested",
                "client_id",
                "c",
                "batch_size",
                5,
                "request_timeout",
                "10ms");
    }

    private void refusedLease(String message, Object... namesAndValues) {
        refused("queue.lease", message, atQueue(namesAndValues));
    }

    @Test
    void what_a_complete_refuses() {
        List<String> ids = List.of(SOME_ID);
        refusedComplete("ids is invalid; list of ids cannot be empty", "request_timeout", "1m");
        refusedComplete("ids is invalid; list of ids cannot be empty", "request_timeout", "1m", "ids", List.of());
        refusedComplete(
                "partition is invalid; '65234' is not a valid partition",
                "partition",
                65_234,
                "request_timeout",
                "foo");
        refusedComplete(
                "partition is invalid; '-1' is not a valid partition",
                "partition",
                -1,
                "request_timeout",
                "1m",
                "ids",
                ids);
        refusedComplete(NO_DURATION, "request_timeout", "foo");
        refusedComplete("ids is invalid; list of ids cannot be empty", "request_timeout", "16m");
        refusedComplete(TOO_LONG, "request_timeout", "16m", "ids", ids);
        refusedComplete(REQUIRED, "ids", ids);
        refusedComplete(REQUIRED, "request_timeout", "0ms", "ids", ids);
        refusedComplete(
                "ids is invalid; max_complete_batch_size is 1000 but received 1001",
                "request_timeout",
                "1m",
                "ids",
                range(1001).stream().map(i -> SOME_ID).toList());
        refusedComplete(
                "invalid storage id; 'invalid-id': Valid encoded KSUIDs are 27 characters",
                "request_timeout",
                "1m",
                "ids",
                List.of("invalid-id", SOME_ID));
        refusedComplete("invalid storage id; '" + SOME_ID + "' does not exist", "request_timeout", "1m", "ids", ids);
    }

    private void refusedComplete(String message, Object... namesAndValues) {
        refused("queue.complete", message, atQueue(namesAndValues));
    }

    @Test
    void what_extending_and_giving_back_refuse() {
        for (String operation : List.of("queue.extend", "queue.give_back")) {
            refused(operation, "ids is invalid; list of ids cannot be empty", atQueue());
            refused(operation, "partition is invalid; '3' is not a valid partition", atQueue("partition", 3));
            refused(
                    operation,
                    "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters",
                    atQueue("ids", List.of("x")));
        }
        refused(
                "queue.extend",
                "invalid storage id; '" + SOME_ID + "' does not exist",
                atQueue("ids", List.of(SOME_ID)));
        client.post("queue.give_back", atQueue("ids", List.of(SOME_ID))).ok();
        refused(
                "queue.extend",
                "lease timeout is invalid; time: invalid duration \"foo\" - expected format: 8m, 15m or 1h",
                atQueue("ids", List.of(SOME_ID), "lease_timeout", "foo"));
        refused(
                "queue.extend",
                "lease timeout is invalid; cannot be negative",
                atQueue("ids", List.of(SOME_ID), "lease_timeout", "-1s"));
    }
}
