package dev.leasehold.server.namespaced;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.KeysUnavailableException;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.server.http.ErrorMapper;
import dev.leasehold.server.http.ErrorReplies;
import dev.leasehold.server.http.OverloadedException;
import dev.leasehold.server.http.Response;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps errors to statuses in the LockServiceCentral API, and adds the headers of all its responses.
 *
 * <p>A database failure is 503, never 423 or free. Responses to failures of the server have a random error id, which is also in the log.
 */
public final class NamespacedErrorMapper implements ErrorMapper {
    private static final Logger log = LoggerFactory.getLogger(NamespacedErrorMapper.class);
    private static final Map<String, String> HEADERS = headers();

    private static Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-XSS-Protection", "0");
        headers.put("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate");
        headers.put("Pragma", "no-cache");
        headers.put("Expires", "0");
        headers.put("X-Frame-Options", "DENY");
        return headers;
    }

    /** A response with the headers that this API always sends, and without a reason phrase. */
    public static Response dressed(Response response) {
        Map<String, String> headers = new LinkedHashMap<>(HEADERS);
        headers.putAll(response.headers());
        return new Response(response.status(), "", headers, response.body(), response.undo());
    }

    @Override
    public Response failure(Function<String, @Nullable String> headers, Throwable failure, Map<String, Object> notes) {
        if (failure instanceof InvalidRequestException e) {
            return invalid(String.valueOf(e.getMessage()), e.details(), notes);
        }
        if (failure instanceof NotAcceptableException) {
            return dressed(Response.empty(406));
        }
        if (failure instanceof UnauthorizedException) {
            return dressed(Response.empty(401).header("WWW-Authenticate", "Bearer"));
        }
        if (failure instanceof ForbiddenException) {
            return withId(403, String.valueOf(failure.getMessage()), notes);
        }
        if (failure instanceof KeysUnavailableException) {
            return withId(503, String.valueOf(failure.getMessage()), notes);
        }
        if (failure instanceof OverloadedException) {
            return withId(503, String.valueOf(failure.getMessage()), notes)
                    .header("Retry-After", OverloadedException.RETRY_AFTER);
        }
        return failure instanceof LockException e ? ofLocks(e, notes) : internal(failure, notes);
    }

    /** A key whose fences are used up is the one failure inside that says what to do, and has no cause. */
    private static Response ofInside(LockException failure, Map<String, Object> notes) {
        if (failure.getCause() != null) {
            return internal(failure, notes);
        }
        Response answer = withId(500, String.valueOf(failure.getMessage()), notes);
        notes.put("exception", failure.code().text());
        log.warn("event=request_failed code={} error_id={}", failure.code().text(), notes.get("error_id"));
        return answer;
    }

    /** A store that misses its tables calls the argument invalid, with a cause: that is no fault of the caller. */
    private static Response ofLocks(LockException failure, Map<String, Object> notes) {
        if (failure.code() == LockErrorCode.INTERNAL) {
            return ofInside(failure, notes);
        }
        if (failure.code() == LockErrorCode.INVALID_ARGUMENT && failure.getCause() == null) {
            return invalid("Validation failed", List.of(String.valueOf(failure.getMessage())), notes);
        }
        Response answer = withId(503, "Lock store is not available, try again later", notes);
        notes.put("exception", failure.code().text());
        log.warn("event=store_unavailable code={} error_id={}", failure.code().text(), notes.get("error_id"));
        log.debug("event=store_unavailable", failure);
        return answer;
    }

    private static Response internal(Throwable failure, Map<String, Object> notes) {
        Response answer = withId(500, "Internal server error", notes);
        notes.put("exception", failure.getClass().getName());
        log.error("event=request_failed error_id={}", notes.get("error_id"), failure);
        return answer;
    }

    private static Response invalid(String message, List<String> details, Map<String, Object> notes) {
        notes.put("error_type", "validation_error");
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("message", message);
        details.forEach(body.putArray("details")::add);
        return dressed(Response.json(400, body.toString()));
    }

    private static Response withId(int status, String message, Map<String, Object> notes) {
        String errorId = UUID.randomUUID().toString();
        notes.put("error_id", errorId);
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("message", message).put("errorId", errorId);
        return dressed(Response.json(status, body.toString()));
    }

    /** The answer to a path that nobody knows. */
    public Response notFound(Map<String, Object> notes) {
        return withId(404, "Resource not found", notes);
    }

    @Override
    public Response wrongMethod(Function<String, @Nullable String> headers, String method, Map<String, Object> notes) {
        return withId(405, "Method not allowed", notes);
    }

    @Override
    public Response tooLarge(Function<String, @Nullable String> headers, int limit) {
        return invalid("JSON validation failed", List.of(ErrorReplies.tooLarge(limit)), new HashMap<>());
    }
}
