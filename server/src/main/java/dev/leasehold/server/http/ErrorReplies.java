package dev.leasehold.server.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Error bodies of the Querator API and the native lock API: {@code {"code", "code_text", "message", "details"}}. */
public final class ErrorReplies {
    private static final Map<Integer, String> TEXTS = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(409, "Conflict"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(453, "Request Failed"),
            Map.entry(454, "Retry Request"),
            Map.entry(455, "Client Content Error"),
            Map.entry(500, "Internal Service Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(512, "Transport Error"));

    private ErrorReplies() {}

    /** The text of a code. */
    public static String text(int code) {
        return TEXTS.getOrDefault(code, "Error");
    }

    /** An error in JSON; {@code error} is the code of a lock error, if it is one. */
    public static Response json(int code, @Nullable String message, @Nullable String error) {
        ObjectNode reply = JsonNodeFactory.instance.objectNode().put("code", code);
        reply.put("code_text", text(code));
        if (message != null) {
            reply.put("message", message);
        }
        if (error != null) {
            reply.putObject("details").put("error", error);
        }
        return Response.json(code, reply.toString()).reason(text(code));
    }

    /** Says that a body is too large; a limit of zero means that there must not be one. */
    public static String tooLarge(int limit) {
        return limit == Route.NO_BODY
                ? "a request to this path must not have a body"
                : "request body exceeds " + size(limit) + " limit";
    }

    /** A size as messages name it: in 1,024s if it divides by that, otherwise in 1,000s. */
    public static String size(int bytes) {
        boolean binary = bytes % 1024 == 0;
        int base = binary ? 1024 : 1000;
        if (bytes < base) {
            return bytes + "B";
        }
        double value = bytes / (double) base;
        if (value < base) {
            return String.format(Locale.ROOT, "%.1f%s", value, binary ? "KiB" : "kB");
        }
        return String.format(Locale.ROOT, "%.1f%s", value / base, binary ? "MiB" : "MB");
    }
}
