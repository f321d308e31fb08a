package dev.leasehold.chaos.attack;

import dev.leasehold.testkit.process.HarnessException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Sends whole requests with the key of the attackers, or without any, and is content with every answer. */
final class HostileClient {
    /** A queue of the attackers in which there is never anything. */
    static final String IDLE_QUEUE = "hostile-idle";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern NAME = Pattern.compile("\"queue_name\":\"([^\"\\\\]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI server;

    HostileClient(URI server) {
        this.server = server;
    }

    /**
     * A request.
     *
     * @param type of the body, as {@code Content-Type} says it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Shot(String path, String type, byte[] body) {
        static Shot json(String path, String text) {
            return new Shot(path, "application/json", text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * What came back.
     *
     * @param status 0 if the connection was closed, or no answer came in time
     */
    record Reply(int status, String body) {}

    Reply post(String path, String json) {
        return send(Shot.json(path, json), true, PATIENCE);
    }

    Reply send(Shot shot, boolean hasKey, Duration patience) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(shot.path()))
                .header("Content-Type", shot.type())
                .timeout(patience)
                .POST(BodyPublishers.ofByteArray(shot.body()));
        if (hasKey) {
            request.header("Authorization", "Bearer " + Victim.HOSTILE_KEY);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Reply(0, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }

    /** Creates a queue of theirs; the lease timeout is short, so that what nobody took comes back soon. */
    Reply create(String name, String more) {
        return post("/v1/queues.create", """
                {"queue_name": "%s", "namespace": "%s", "lease_timeout": "10s", "expire_timeout": "24h"%s}""".formatted(name, Victim.HOSTILE_NAMESPACE, more));
    }

    Reply delete(String name) {
        return post("/v1/queues.delete", "{\"queue_name\": \"" + name + "\", \"force\": true}");
    }

    /** Deletes every queue of theirs, so that an hour of attacks leaves no more behind than a minute. */
    void deleteAll() {
        Reply queues =
                post("/v1/queues.list", "{\"namespace\": \"" + Victim.HOSTILE_NAMESPACE + "\", \"limit\": 1000}");
        NAME.matcher(queues.body())
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(name -> !name.equals(IDLE_QUEUE))
                .forEach(this::delete);
    }
}
