package dev.leasehold.server.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says no without frills. */
final class PlainFamily implements Family {
    @Override
    public Response failure(Function<String, @Nullable String> headers, Throwable failure) {
        return Replies.json(500, "Internal Error", null);
    }

    @Override
    public Response wrongMethod(Function<String, @Nullable String> headers, String method) {
        return Replies.json(400, "http method '" + method + "' not allowed; only GET", null);
    }

    @Override
    public Response tooLarge(Function<String, @Nullable String> headers, int limit) {
        return Replies.json(400, "request body exceeds " + Replies.size(limit) + " limit", null);
    }
}
