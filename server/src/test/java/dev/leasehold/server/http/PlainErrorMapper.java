package dev.leasehold.server.http;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says no without frills. */
final class PlainErrorMapper implements ErrorMapper {
    @Override
    public Response failure(Function<String, @Nullable String> headers, Throwable failure, Map<String, Object> notes) {
        return ErrorReplies.json(500, "Internal Error", null);
    }

    @Override
    public Response wrongMethod(Function<String, @Nullable String> headers, String method, Map<String, Object> notes) {
        return ErrorReplies.json(400, "http method '" + method + "' not allowed; only GET", null);
    }

    @Override
    public Response tooLarge(Function<String, @Nullable String> headers, int limit) {
        return ErrorReplies.json(400, "request body exceeds " + ErrorReplies.size(limit) + " limit", null);
    }
}
