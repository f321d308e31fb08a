package dev.leasehold.server.http;

import java.util.concurrent.CompletableFuture;

/** Answers a request: decodes, calls, encodes. It must not block; what it throws goes to the family's {@link Family#failure}. */
@FunctionalInterface
public interface Handler {
    CompletableFuture<Response> handle(Request request);
}
