package dev.leasehold.server.queue;

import dev.leasehold.server.http.Handler;
import java.util.concurrent.CompletableFuture;

/** Handlers for what Querator's clients may ask and is not to be had here. */
public final class UnsupportedEndpoints {
    private UnsupportedEndpoints() {}

    /** Says that there is no store of that kind: who may do what is configured, not stored. */
    public static Handler notConfigured(String store) {
        return request -> CompletableFuture.completedFuture(
                MessageCodec.error(request.headers(), 453, store + " storage not configured"));
    }

    /** Says that nobody knows the path. */
    public static Handler noSuchMethod() {
        return request -> CompletableFuture.completedFuture(
                MessageCodec.error(request.headers(), 501, "no such method; " + request.path()));
    }
}
