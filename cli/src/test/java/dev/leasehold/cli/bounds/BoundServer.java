package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.cli.bounds.RawConnection.Answer;
import dev.leasehold.cli.config.ConfigLoader;
import dev.leasehold.cli.server.RunningServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in memory, on a port of its own, with the settings that a test gives it. */
final class BoundServer implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final RunningServer server;

    /** @param settings names and values in turn */
    BoundServer(String... settings) {
        ConfigLoader loader = new ConfigLoader(Map.of())
                .option("store", "--store", "memory")
                .option("address", "--address", "127.0.0.1:0");
        for (int i = 0; i < settings.length; i += 2) {
            loader.option(settings[i], settings[i], settings[i + 1]);
        }
        server = RunningServer.of(loader.load());
        server.start();
    }

    int port() {
        return server.port();
    }

    RawConnection connect() throws IOException {
        return RawConnection.to(port());
    }

    /** Sends a request on a connection of its own. */
    Answer ask(String request) throws IOException {
        try (RawConnection connection = connect()) {
            return connection.send(request).answer();
        }
    }

    Answer post(String path, String body) throws IOException {
        return ask(RawConnection.post(path, body));
    }

    /** Posts what must succeed. */
    JsonNode ok(String path, String body) throws IOException {
        Answer answer = post(path, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** Checks that a normal call succeeds. */
    void serves() throws IOException {
        assertThat(post("/v1/lock.is_locked", "{\"key\": \"alive\"}").body()).isEqualTo("{\"locked\":false}");
    }

    void createQueue(String name) throws IOException {
        ok(
                "/v1/queues.create",
                "{\"queue_name\":\"" + name
                        + "\",\"lease_timeout\":\"10m\",\"expire_timeout\":\"1h\",\"requested_partitions\":1}");
    }

    /** @param items the members of the array, in JSON */
    void produce(String queue, String items) throws IOException {
        ok(
                "/v1/queue.produce",
                "{\"queue_name\":\"" + queue + "\",\"request_timeout\":\"1m\",\"items\":[" + items + "]}");
    }

    static String lease(String queue, int batch) {
        return "{\"queue_name\":\"" + queue + "\",\"client_id\":\"c\",\"batch_size\":" + batch
                + ",\"request_timeout\":\"10s\"}";
    }

    /** One field of all items of an answer. */
    static List<String> each(JsonNode answer, String field) {
        List<String> values = new ArrayList<>();
        answer.path("items").forEach(item -> values.add(item.path(field).asText()));
        return values;
    }

    /** A number out of the metrics. */
    double metric(String name) throws IOException {
        String text = ask(RawConnection.get("/metrics")).body();
        Matcher line =
                Pattern.compile("(?m)^" + name + "(?:\\{[^}]*})? (\\S+)$").matcher(text);
        assertThat(line.find()).as(text).isTrue();
        return Double.parseDouble(line.group(1));
    }

    @Override
    public void close() {
        server.close();
    }
}
