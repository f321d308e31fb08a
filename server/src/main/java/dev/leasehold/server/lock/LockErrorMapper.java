package dev.leasehold.server.lock;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.KeysUnavailableException;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.server.http.BadContentException;
import dev.leasehold.server.http.ErrorMapper;
import dev.leasehold.server.http.ErrorReplies;
import dev.leasehold.server.http.OverloadedException;
import dev.leasehold.server.http.Response;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps errors to statuses in the native lock API. */
public final class LockErrorMapper implements ErrorMapper {
    private static final Logger log = LoggerFactory.getLogger(LockErrorMapper.class);

    @Override
    public Response failure(Function<String, @Nullable String> headers, Throwable failure, Map<String, Object> notes) {
        if (failure instanceof LockException e) {
            return of(e);
        }
        if (failure instanceof BadContentException) {
            return ErrorReplies.json(455, failure.getMessage(), LockErrorCode.INVALID_ARGUMENT.text());
        }
        if (failure instanceof OverloadedException) {
            return ErrorReplies.json(503, failure.getMessage(), LockErrorCode.SERVICE_UNAVAILABLE.text())
                    .header("Retry-After", OverloadedException.RETRY_AFTER);
        }
        if (failure instanceof UnauthorizedException) {
            return ErrorReplies.json(401, failure.getMessage(), LockErrorCode.AUTH_FAILED.text())
                    .header("WWW-Authenticate", "Bearer");
        }
        if (failure instanceof ForbiddenException) {
            return ErrorReplies.json(403, failure.getMessage(), LockErrorCode.AUTH_FAILED.text());
        }
        if (failure instanceof KeysUnavailableException) {
            return ErrorReplies.json(503, failure.getMessage(), LockErrorCode.SERVICE_UNAVAILABLE.text());
        }
        return internal(failure);
    }

    /** Errors of the client keep their message; those of the database are only logged. */
    private static Response of(LockException e) {
        boolean isOurs = e.getCause() != null;
        return switch (e.code()) {
            case INVALID_ARGUMENT ->
                isOurs
                        ? internal(e)
                        : ErrorReplies.json(400, e.getMessage(), e.code().text());
            case RATE_LIMITED -> unavailable(429, e, e.code(), "no database connection was free, try again");
            case SERVICE_UNAVAILABLE -> unavailable(503, e, e.code(), "the database is away for now, try again");
            case NETWORK_TIMEOUT -> unavailable(503, e, e.code(), "the database did not answer in time, try again");
            case AUTH_FAILED -> unavailable(503, e, e.code(), "the database does not let the server in");
            case ABORTED, ACQUISITION_TIMEOUT ->
                unavailable(503, e, LockErrorCode.SERVICE_UNAVAILABLE, "service is shutting down");
            case INTERNAL ->
                isOurs
                        ? internal(e)
                        : ErrorReplies.json(500, e.getMessage(), e.code().text()); // the fences of a key are used up
        };
    }

    private static Response unavailable(int status, LockException e, LockErrorCode code, String message) {
        log.debug("event=store_failed", e);
        return ErrorReplies.json(status, message, code.text());
    }

    private static Response internal(Throwable failure) {
        log.error("event=request_failed", failure);
        return ErrorReplies.json(500, "Internal Error", LockErrorCode.INTERNAL.text());
    }

    @Override
    public Response wrongMethod(Function<String, @Nullable String> headers, String method, Map<String, Object> notes) {
        return invalid("http method '" + method + "' not allowed; only POST");
    }

    @Override
    public Response tooLarge(Function<String, @Nullable String> headers, int limit) {
        return invalid(ErrorReplies.tooLarge(limit));
    }

    private static Response invalid(String message) {
        return ErrorReplies.json(400, message, LockErrorCode.INVALID_ARGUMENT.text());
    }
}
