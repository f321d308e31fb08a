package dev.leasehold.server.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Message;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The Querator API as a plain HTTP client sees it, for tests. */
final class QueueClient {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final String token;

    QueueClient(int port) {
        this(port, "");
    }

    /** @param token sent as a bearer key, unless it is empty */
    QueueClient(int port, String token) {
        this.address = "http://127.0.0.1:" + port;
        this.token = token;
    }

    /** Fields for a request: name, value, name, value. */
    static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    /** A request to a path, to be completed by hand. */
    HttpRequest.Builder to(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE);
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    CompletableFuture<Answer> sendAsync(HttpRequest request) {
        return http.sendAsync(request, BodyHandlers.ofByteArray()).thenApply(Answer::of);
    }

    Answer send(HttpRequest request) {
        return sendAsync(request).join();
    }

    /** Posts JSON as it is, with no header about it at all. */
    Answer postText(String operation, String json) {
        return send(to("/v1/" + operation)
                .POST(BodyPublishers.ofByteArray(json.getBytes(StandardCharsets.UTF_8)))
                .build());
    }

    /** Posts fields as JSON, for example to {@code queue.lease}. */
    Answer post(String operation, Object... namesAndValues) {
        return postText(operation, json(fields(namesAndValues)));
    }

    /** The same without waiting for the answer. */
    CompletableFuture<Answer> postAsync(String operation, Object... namesAndValues) {
        return sendAsync(to("/v1/" + operation)
                .POST(BodyPublishers.ofString(json(fields(namesAndValues))))
                .build());
    }

    /** Posts a message as Querator's Go client does: protobuf, and no word about the answer. */
    Answer postProto(String operation, Message message, String... headers) {
        HttpRequest.Builder request = to("/v1/" + operation).header("Content-Type", "application/protobuf");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(
                request.POST(BodyPublishers.ofByteArray(message.toByteArray())).build());
    }

    private static String json(Map<String, Object> fields) {
        try {
            return JSON.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a queue: leases of a minute, items for an hour, one partition, unless these fields say otherwise. */
    void create(String queue, Object... namesAndValues) {
        Map<String, Object> wish =
                fields("queue_name", queue, "lease_timeout", "1m", "expire_timeout", "60m", "requested_partitions", 1);
        wish.putAll(fields(namesAndValues));
        postText("queues.create", json(wish)).ok();
    }

    /** Produces one item per text. */
    void produce(String queue, String... texts) {
        List<Map<String, Object>> items = new ArrayList<>();
        for (String text : texts) {
            items.add(fields("utf8", text));
        }
        produceItems(queue, items);
    }

    /** Produces that many items: item-0, item-1 and so on. */
    void produceMany(String queue, int count) {
        produce(queue, IntStream.range(0, count).mapToObj(i -> "item-" + i).toArray(String[]::new));
    }

    void produceItems(String queue, List<Map<String, Object>> items) {
        post("queue.produce", "queue_name", queue, "request_timeout", "1m", "items", items)
                .ok();
    }

    /** Leases; there must be something at once or soon. */
    JsonNode lease(String queue, int batch) {
        return leaseAsync(queue, "client", batch, "30s").join().ok();
    }

    CompletableFuture<Answer> leaseAsync(String queue, String client, int batch, String timeout) {
        return postAsync(
                "queue.lease",
                "queue_name",
                queue,
                "client_id",
                client,
                "batch_size",
                batch,
                "request_timeout",
                timeout);
    }

    /** Sends a lease that waits; cancelling what this returns hangs up. */
    CompletableFuture<?> sendLease(String queue, String client) {
        Map<String, Object> wish =
                fields("queue_name", queue, "client_id", client, "batch_size", 1, "request_timeout", "30s");
        return http.sendAsync(
                to("/v1/queue.lease").POST(BodyPublishers.ofString(json(wish))).build(), BodyHandlers.ofByteArray());
    }

    Answer complete(String queue, int partition, List<String> ids) {
        return post("queue.complete", "queue_name", queue, "partition", partition, "request_timeout", "1m", "ids", ids);
    }

    Answer retry(String queue, Map<String, Object> item) {
        return post("queue.retry", "queue_name", queue, "items", List.of(item));
    }

    /** The items of a partition that are ready or leased. */
    List<JsonNode> items(String queue, int partition) {
        return list(post("storage/items.list", "queue_name", queue, "partition", partition, "limit", 100_000));
    }

    List<JsonNode> items(String queue) {
        return items(queue, 0);
    }

    List<JsonNode> scheduled(String queue) {
        return list(post("storage/scheduled.list", "queue_name", queue));
    }

    static List<JsonNode> list(Answer answer) {
        return list(answer.ok());
    }

    /** The {@code items} of a message. */
    static List<JsonNode> list(JsonNode message) {
        List<JsonNode> items = new ArrayList<>();
        message.path("items").forEach(items::add);
        return items;
    }

    static List<String> ids(JsonNode message) {
        return list(message).stream().map(item -> item.path("id").asText()).toList();
    }

    /** Puts items into partition 0 as they are. */
    List<JsonNode> importItems(String queue, List<Map<String, Object>> items) {
        return list(post("storage/items.import", "queue_name", queue, "items", items));
    }

    /** How the queue stands. */
    JsonNode stats(String queue) {
        return post("queue.stats", "queue_name", queue)
                .ok()
                .path("logicalQueues")
                .path(0);
    }

    JsonNode stats(String queue, int partition) {
        return stats(queue).path("partitions").path(partition);
    }
}
