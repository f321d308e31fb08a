package dev.leasehold.bench.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.bench.HttpConnection;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The Querator API in JSON, as a lean client would use it. */
final class JsonQueuer implements Queuer {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    private final String host;
    private final int port;
    private final Runnable closer;
    private final ConcurrentLinkedQueue<HttpConnection> idle = new ConcurrentLinkedQueue<>();
    private @Nullable Loops loops;

    JsonQueuer(String host, int port, Runnable closer) {
        this.host = host;
        this.port = port;
        this.closer = closer;
    }

    @Override
    public void produce(List<byte[]> payloads) throws IOException {
        produce(payloads, "");
    }

    @Override
    public void produceLater(List<byte[]> payloads, Duration delay) throws IOException {
        produce(payloads, ",\"enqueue_at\":\"" + Instant.now().plus(delay) + "\"");
    }

    private void produce(List<byte[]> payloads, String more) throws IOException {
        StringJoiner items = new StringJoiner(",", "[", "]");
        for (byte[] payload : payloads) {
            items.add("{\"utf8\":\"" + new String(payload, StandardCharsets.US_ASCII) + "\"" + more + "}");
        }
        post("produce", "\"items\":" + items);
    }

    /** A lease waits for items for a second; whatever writes is waited for as long as the library would. */
    private byte[] post(String verb, String fields) throws IOException {
        String timeout = verb.equals("lease") ? "1s" : "10s";
        HttpConnection http = idle.poll();
        if (http == null) {
            http = HttpConnection.open(host, port);
        }
        HttpConnection.Answer answer = http.post(
                "/v1/queue." + verb,
                "{\"queue_name\":\"" + LeaseholdQueuer.QUEUE + "\",\"request_timeout\":\"" + timeout + "\"," + fields
                        + "}");
        idle.add(http);
        if (answer.status() != HttpURLConnection.HTTP_OK) {
            throw new IOException(verb + " was answered with " + answer.status() + ": " + answer.text());
        }
        return answer.body();
    }

    @Override
    public void work(Hands hands, int batch) {
        Loops started = new Loops();
        for (int i = 0; i < LeaseholdQueuer.WORKERS; i++) {
            String client = "json-" + CLIENTS.incrementAndGet();
            started.start("bench-json-" + i, hands, () -> leaseAndComplete(client, hands, batch));
        }
        loops = started;
    }

    private void leaseAndComplete(String client, Hands hands, int batch) throws IOException {
        JsonNode leased = MAPPER.readTree(post("lease", "\"client_id\":\"" + client + "\",\"batch_size\":" + batch));
        List<byte[]> payloads = new ArrayList<>(batch);
        StringJoiner ids = new StringJoiner("\",\"", "[\"", "\"]");
        for (JsonNode item : leased.path("items")) {
            payloads.add(item.get("bytes").binaryValue());
            ids.add(item.get("id").textValue());
        }
        if (!payloads.isEmpty()) {
            payloads.forEach(hands::took);
            post("complete", "\"partition\":" + leased.path("partition").asInt() + ",\"ids\":" + ids);
            hands.done(payloads);
        }
    }

    @Override
    public void stop() {
        if (loops != null) {
            loops.stop();
            loops = null;
        }
    }

    @Override
    public void close() {
        idle.forEach(HttpConnection::close);
        closer.run();
    }
}
