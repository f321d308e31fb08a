package dev.leasehold.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The native lock API as a plain HTTP client sees it, for tests. */
final class LockClient {
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;
    private final String token;

    LockClient(int port) {
        this(port, "");
    }

    LockClient(int port, String token) {
        this.port = port;
        this.token = token;
    }

    record Answer(HttpResponse<byte[]> response) {
        int status() {
            return response.statusCode();
        }

        JsonNode json() {
            try {
                return JSON.readTree(response.body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Checks that it went well. */
        JsonNode ok() {
            assertThat(status()).as(text()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            return json();
        }

        String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        /** The lock error that it names. */
        String error() {
            return json().path("details").path("error").asText();
        }

        /** Checks that it is an error of this status, lock error and message. */
        void isRefusal(int status, String error, String message) {
            assertThat(status()).as(text()).isEqualTo(status);
            assertThat(json().path("code").asInt()).isEqualTo(status);
            assertThat(json().path("code_text").asText()).isNotEmpty();
            assertThat(error()).isEqualTo(error);
            assertThat(json().path("message").asText()).isEqualTo(message);
        }
    }

    Answer post(String verb, Object... namesAndValues) {
        return postAsync(verb, namesAndValues).join();
    }

    CompletableFuture<Answer> postAsync(String verb, Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        try {
            return send(request(verb)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(fields))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Answer postText(String verb, String body, String... headers) {
        HttpRequest.Builder request = request(verb).POST(BodyPublishers.ofString(body));
        if (!List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        return send(headers.length == 0 ? request : request.headers(headers)).join();
    }

    HttpRequest.Builder request(String verb) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/v1/lock." + verb))
                .timeout(Duration.ofSeconds(60));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    CompletableFuture<Answer> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofByteArray()).thenApply(Answer::new);
    }
}
