package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** What the server answered. */
@SuppressWarnings("ArrayRecordComponent") // the body is read, never changed or compared
record Answer(int status, HttpHeaders headers, byte[] body) {
    private static final JsonMapper JSON = new JsonMapper();

    /** Takes an answer, and checks what every answer must be like. */
    static Answer of(HttpResponse<byte[]> response) {
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        return new Answer(response.statusCode(), response.headers(), response.body());
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String message() {
        return json().path("message").asText();
    }

    /** Checks that everything went well; gives what came. */
    JsonNode ok() {
        assertThat(status).as(text()).isEqualTo(200);
        assertThat(header("Content-Type")).isEqualTo("application/json");
        return json();
    }

    /** Checks that the answer is an error with exactly this status and message, as Querator's clients can read it. */
    void isRefusal(int code, String message) {
        assertThat(message()).as(text()).isEqualTo(message);
        assertThat(status).isEqualTo(code);
        assertThat(header("Content-Type")).isEqualTo("application/json");
        assertThat(json().path("code").asInt()).isEqualTo(code);
        assertThat(json().path("code_text").asText()).isNotEmpty();
        assertThat(json().fieldNames()).toIterable().containsOnly("code", "code_text", "message");
    }
}
