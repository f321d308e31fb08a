package dev.leasehold.chaos.attack;

import dev.leasehold.chaos.attack.HostileClient.Reply;
import dev.leasehold.chaos.attack.HostileClient.Shot;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Calls that ask for more than a server can hold, in the namespace of the attackers. */
final class HugeCalls {
    static final String QUEUE = "hostile-huge";

    private static final int ABSURD = 2_000_000_000;
    private static final int BATCH = 1_000;
    private static final int AT_ONCE = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HostileClient client;

    HugeCalls(HostileClient client) {
        this.client = client;
    }

    /** Creates their queue, in which an item has one attempt, and puts items into it. */
    void fill(int items, int bytes) {
        client.create(QUEUE, ", \"max_attempts\": 1, \"requested_partitions\": 1");
        String item = "{\"bytes\": \"" + Base64.getEncoder().encodeToString(new byte[bytes]) + "\"}";
        int each = Math.min(Math.min(BATCH, items), Math.max(1, 4_900_000 / item.length()));
        for (int done = 0; done < items; done += each) {
            client.post(
                    "/v1/queue.produce",
                    "{" + name() + ", \"request_timeout\": \"1m\", \"items\": ["
                            + repeated(item, Math.min(each, items - done)) + "]}");
        }
    }

    /** Sends a request several times at once; returns all replies. */
    List<Reply> together(Shot shot) {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<CompletableFuture<Reply>> calls = IntStream.range(0, AT_ONCE)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> client.send(shot, true, PATIENCE), threads))
                    .toList();
            return calls.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Asks for all items of the queue on one page. */
    static Shot list() {
        return Shot.json("/v1/storage/items.list", "{" + name() + ", \"limit\": " + ABSURD + "}");
    }

    /** Asks for as many items as one may. */
    static Shot lease(String clientId) {
        return Shot.json(
                "/v1/queue.lease",
                "{" + name() + ", \"client_id\": \"" + clientId + "\", \"batch_size\": " + BATCH
                        + ", \"request_timeout\": \"1s\"}");
    }

    /** A queue with more partitions than there may be. */
    static Shot partitions(String path, String queue) {
        return Shot.json(
                path,
                "{\"queue_name\": \"" + queue + "\", \"namespace\": \"" + Victim.HOSTILE_NAMESPACE
                        + "\", \"lease_timeout\": \"1m\", \"expire_timeout\": \"1h\", \"requested_partitions\": 1000000}");
    }

    /** Every call with a list or a number in it, with far too much. */
    static List<Shot> all() {
        String ids = "[" + repeated("\"abcdefghijk\"", 15_000) + "]";
        String many = repeated("{\"utf8\":\"\"}", 300_000);
        return List.of(
                list(),
                Shot.json("/v1/storage/scheduled.list", "{" + name() + ", \"limit\": " + ABSURD + "}"),
                Shot.json("/v1/queues.list", "{\"namespace\": \"hostile\", \"limit\": " + ABSURD + "}"),
                Shot.json("/v1/lock.list", "{\"prefix\": \"hostile:\", \"limit\": " + ABSURD + "}"),
                Shot.json(
                        "/v1/queue.lease",
                        "{" + name() + ", \"client_id\": \"h\", \"batch_size\": " + ABSURD
                                + ", \"request_timeout\": \"1s\"}"),
                Shot.json(
                        "/v1/queue.produce",
                        "{" + name() + ", \"request_timeout\": \"1m\", \"items\": [" + many + "]}"),
                Shot.json(
                        "/v1/storage/items.import", "{" + name() + ", \"items\": [" + repeated("{}", 5_000_000) + "]}"),
                Shot.json("/v1/storage/items.delete", "{" + name() + ", \"ids\": " + ids + "}"),
                Shot.json("/v1/queue.complete", "{" + name() + ", \"request_timeout\": \"1m\", \"ids\": " + ids + "}"),
                Shot.json("/v1/queue.extend", "{" + name() + ", \"ids\": " + ids + "}"),
                Shot.json("/v1/queue.give_back", "{" + name() + ", \"ids\": " + ids + "}"),
                Shot.json(
                        "/v1/queue.retry", "{" + name() + ", \"items\": [" + repeated("{\"id\":\"a\"}", 15_000) + "]}"),
                partitions("/v1/queues.create", QUEUE + "-wide"),
                partitions("/v1/queues.update", QUEUE));
    }

    private static String name() {
        return "\"queue_name\": \"" + QUEUE + "\"";
    }

    private static String repeated(String element, int times) {
        return (element + ",").repeat(times - 1) + element;
    }
}
