package dev.leasehold.server.http;

import java.util.concurrent.CompletableFuture;

/** Handles a request: decodes, calls, encodes. Must not block. Exceptions go to the route's {@link ErrorMapper#failure}. */
@FunctionalInterface
public interface Handler {
    CompletableFuture<Response> handle(Request request);
}
