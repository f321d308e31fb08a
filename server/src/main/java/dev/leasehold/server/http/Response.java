package dev.leasehold.server.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response.
 *
 * @param reason the reason phrase; null means the usual one
 * @param undo compensates if the client has disconnected and will never read it; null: nothing
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never changed
public record Response(
        int status,
        @Nullable String reason,
        Map<String, String> headers,
        byte[] body,
        @Nullable Runnable undo) {
    public static final String JSON = "application/json";

    public static Response of(int status, String contentType, byte[] body) {
        return new Response(status, null, Map.of("Content-Type", contentType), body, null);
    }

    public static Response json(int status, String body) {
        return of(status, JSON, body.getBytes(StandardCharsets.UTF_8));
    }

    public static Response empty(int status) {
        return new Response(status, null, Map.of(), new byte[0], null);
    }

    public Response header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Response(status, reason, more, body, undo);
    }

    public Response reason(String reason) {
        return new Response(status, reason, headers, body, undo);
    }

    /** Sets what to do if the client has disconnected before it read the response. Runs on an event loop: it must be quick. */
    public Response undo(Runnable undo) {
        return new Response(status, reason, headers, body, undo);
    }
}
