package dev.leasehold.server.queue;

import dev.leasehold.server.http.Handler;
import java.util.concurrent.CompletableFuture;

/** Endpoints of Querator that this server does not have. */
public final class UnsupportedEndpoints {
    private UnsupportedEndpoints() {}

    /** Responds that there is no store of that kind: permissions are in the configuration. */
    public static Handler notConfigured(String store) {
        return request -> CompletableFuture.completedFuture(
                MessageCodec.error(request.headers(), 453, store + " storage not configured"));
    }

    /** Responds that the path is unknown. */
    public static Handler noSuchMethod() {
        return request -> CompletableFuture.completedFuture(
                MessageCodec.error(request.headers(), 501, "no such method; " + request.path()));
    }
}
