package dev.leasehold.server.queue;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.KeysUnavailableException;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.server.http.BadContentException;
import dev.leasehold.server.http.ErrorMapper;
import dev.leasehold.server.http.ErrorReplies;
import dev.leasehold.server.http.OverloadedException;
import dev.leasehold.server.http.Response;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps errors to statuses in the Querator API. Only statuses that Querator's clients can read are used; the code in the body is the status.
 *
 * <p>What a database said, the caller is not told: it names hosts and tables.
 */
public final class QueueErrorMapper implements ErrorMapper {
    private static final Logger log = LoggerFactory.getLogger(QueueErrorMapper.class);
    private static final String TRY_AGAIN = "internal error, try your request again";

    @Override
    public Response failure(Function<String, @Nullable String> headers, Throwable failure, Map<String, Object> notes) {
        if (failure instanceof QueueException e) {
            return of(headers, e);
        }
        if (failure instanceof BadContentException) {
            return MessageCodec.error(headers, 455, failure.getMessage());
        }
        if (failure instanceof UnauthorizedException) {
            return MessageCodec.error(headers, 401, failure.getMessage()).header("WWW-Authenticate", "Bearer");
        }
        if (failure instanceof ForbiddenException) {
            return MessageCodec.error(headers, 403, failure.getMessage());
        }
        if (failure instanceof KeysUnavailableException) {
            return MessageCodec.error(headers, 454, failure.getMessage());
        }
        if (failure instanceof OverloadedException) {
            return MessageCodec.error(headers, 454, failure.getMessage())
                    .header("Retry-After", OverloadedException.RETRY_AFTER);
        }
        if (failure instanceof CancellationException) {
            return MessageCodec.error(headers, 454, TRY_AGAIN);
        }
        return internal(headers, failure);
    }

    private static Response of(Function<String, @Nullable String> headers, QueueException e) {
        int status = status(e);
        if (status == 500) {
            return internal(headers, e);
        }
        log.debug("event=request_refused status={}", status, e);
        return MessageCodec.error(headers, status, status == 454 ? retryMessage(e) : e.getMessage());
    }

    private static Response internal(Function<String, @Nullable String> headers, Throwable failure) {
        log.error("event=request_failed", failure);
        return MessageCodec.error(headers, 500, "Internal Error");
    }

    private static int status(QueueException e) {
        return switch (e.code()) {
            // One with a cause is not the caller's: the database lacks a table, say.
            case INVALID_ARGUMENT -> e.getCause() == null ? 400 : 500;
            case NO_SUCH_QUEUE, ALREADY_EXISTS, NO_SUCH_ITEM, NOT_LEASED, DUPLICATE_CLIENT -> 400;
            case SHUTTING_DOWN -> 453;
            case PARTITION_UNAVAILABLE, SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, RATE_LIMITED, AUTH_FAILED, ABORTED -> 454;
            case INTERNAL -> 500;
        };
    }

    private static @Nullable String retryMessage(QueueException e) {
        String message = String.valueOf(e.getMessage());
        if (e.code() == QueueErrorCode.PARTITION_UNAVAILABLE) {
            String why = e.getCause() == null ? "" : ": " + e.getCause().getMessage();
            return message.endsWith(why) ? message.substring(0, message.length() - why.length()) : message;
        }
        return e.getCause() == null ? message : TRY_AGAIN;
    }

    @Override
    public Response wrongMethod(Function<String, @Nullable String> headers, String method, Map<String, Object> notes) {
        return MessageCodec.error(headers, 400, "http method '" + method + "' not allowed; only POST");
    }

    @Override
    public Response tooLarge(Function<String, @Nullable String> headers, int limit) {
        return MessageCodec.error(headers, 400, ErrorReplies.tooLarge(limit));
    }
}
