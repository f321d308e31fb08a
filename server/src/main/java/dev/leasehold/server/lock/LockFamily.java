package dev.leasehold.server.lock;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.KeysUnavailableException;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.server.http.BadContentException;
import dev.leasehold.server.http.Family;
import dev.leasehold.server.http.Replies;
import dev.leasehold.server.http.Response;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the native lock door says no. */
public final class LockFamily implements Family {
    private static final Logger log = LoggerFactory.getLogger(LockFamily.class);

    @Override
    public Response failure(Function<String, @Nullable String> headers, Throwable failure) {
        if (failure instanceof LockException e) {
            return of(e);
        }
        if (failure instanceof BadContentException) {
            return Replies.json(455, failure.getMessage(), null);
        }
        if (failure instanceof UnauthorizedException) {
            return Replies.json(401, failure.getMessage(), LockErrorCode.AUTH_FAILED.text())
                    .header("WWW-Authenticate", "Bearer");
        }
        if (failure instanceof ForbiddenException) {
            return Replies.json(403, failure.getMessage(), LockErrorCode.AUTH_FAILED.text());
        }
        if (failure instanceof KeysUnavailableException) {
            return Replies.json(503, failure.getMessage(), LockErrorCode.SERVICE_UNAVAILABLE.text());
        }
        log.error("event=request_failed", failure);
        return Replies.json(500, "Internal Error", LockErrorCode.INTERNAL.text());
    }

    private static Response of(LockException e) {
        int status = status(e.code());
        if (status == 500) {
            log.error("event=request_failed", e);
            return Replies.json(500, "Internal Error", LockErrorCode.INTERNAL.text());
        }
        return Replies.json(status, e.getMessage(), e.code().text());
    }

    private static int status(LockErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT -> 400;
            case RATE_LIMITED -> 429;
            case SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, AUTH_FAILED, ABORTED, ACQUISITION_TIMEOUT -> 503;
            case INTERNAL -> 500;
        };
    }

    @Override
    public Response wrongMethod(Function<String, @Nullable String> headers, String method) {
        return Replies.json(400, "http method '" + method + "' not allowed; only POST", null);
    }

    @Override
    public Response tooLarge(Function<String, @Nullable String> headers, int limit) {
        return Replies.json(400, "request body exceeds " + Replies.size(limit) + " limit", null);
    }
}
