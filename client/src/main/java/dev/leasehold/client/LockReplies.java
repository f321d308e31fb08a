package dev.leasehold.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies of lock replies, and errors and failed calls as {@link LockException}. */
final class LockReplies {
    static final ObjectMapper JSON = new ObjectMapper();

    /** The codes that mean the same here. For others, such as Aborted, only the status counts. */
    private static final Map<String, LockErrorCode> CODES = Map.of(
            LockErrorCode.INVALID_ARGUMENT.text(), LockErrorCode.INVALID_ARGUMENT,
            LockErrorCode.AUTH_FAILED.text(), LockErrorCode.AUTH_FAILED,
            LockErrorCode.RATE_LIMITED.text(), LockErrorCode.RATE_LIMITED,
            LockErrorCode.NETWORK_TIMEOUT.text(), LockErrorCode.NETWORK_TIMEOUT,
            LockErrorCode.SERVICE_UNAVAILABLE.text(), LockErrorCode.SERVICE_UNAVAILABLE,
            LockErrorCode.INTERNAL.text(), LockErrorCode.INTERNAL);

    private LockReplies() {}

    /** The body of a successful reply, which must have {@code field}; otherwise throws the error of the server. */
    static JsonNode body(HttpReply reply, String field) {
        JsonNode body = object(reply);
        if (reply.isOk() && body != null && body.has(field)) {
            return body;
        }
        throw refusal(reply, body);
    }

    private static @Nullable JsonNode object(HttpReply reply) {
        if (!reply.contentType().equals(HttpReply.JSON)) {
            return null;
        }
        try {
            JsonNode body = JSON.readTree(reply.body());
            return body.isObject() ? body : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static LockException refusal(HttpReply reply, @Nullable JsonNode body) {
        LockErrorCode byStatus = code(reply.status());
        if (body == null || !body.path("message").isTextual()) {
            return new LockException(byStatus, UnrecognizedResponse.describe(reply));
        }
        String told = body.path("details").path("error").asText();
        return new LockException(
                CODES.getOrDefault(told, byStatus), body.path("message").asText());
    }

    private static LockErrorCode code(int status) {
        return switch (status) {
            case 400 -> LockErrorCode.INVALID_ARGUMENT;
            case 401, 403, 407 -> LockErrorCode.AUTH_FAILED;
            case 429 -> LockErrorCode.RATE_LIMITED;
            case 408, 504 -> LockErrorCode.NETWORK_TIMEOUT;
            case 453, 454, 502, 503 -> LockErrorCode.SERVICE_UNAVAILABLE;
            default -> LockErrorCode.INTERNAL;
        };
    }

    /** Why no reply came. */
    static LockException failure(Throwable failure) {
        if (failure instanceof LockException known) {
            return known;
        }
        if (failure instanceof NoReplyException why) {
            return switch (why.kind()) {
                case REFUSED, LOST -> new LockException(LockErrorCode.SERVICE_UNAVAILABLE, message(why), why);
                case LATE -> new LockException(LockErrorCode.NETWORK_TIMEOUT, message(why), why);
                case CLOSED -> new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "Locks are closed", why);
            };
        }
        return new LockException(LockErrorCode.INTERNAL, "Unexpected failure: " + failure, failure);
    }

    private static String message(Throwable why) {
        return String.valueOf(why.getMessage());
    }

    /** Whether the server may have granted the lock in spite of this failure. */
    static boolean isUnknown(Throwable failure) {
        if (!(failure instanceof LockException known)) {
            return true;
        }
        boolean unsent = known.getCause() instanceof NoReplyException why && why.isUnsent();
        return switch (known.code()) {
            case INVALID_ARGUMENT, AUTH_FAILED, RATE_LIMITED -> false;
            default -> !unsent;
        };
    }
}
