package dev.leasehold.server.http;

import dev.leasehold.server.auth.Principal;
import dev.leasehold.spi.Futures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A complete request: its body has arrived and its client is authenticated. Handlers decode the body before they return. */
public final class Request {
    private static final byte[] NOTHING = new byte[0];

    private final String method;
    private final String path;
    private final List<String> parts;
    private final Function<String, @Nullable String> headers;
    private volatile byte[] body;
    private final Principal principal;
    private final Map<String, Object> notes;
    private final CompletableFuture<Void> gone;

    /**
     * A request.
     *
     * @param path the path, as it was sent
     * @param parts what the placeholders of the route's path stand for, in their order
     * @param headers finds a header by its name, whatever its case
     * @param body handed over, never changed
     * @param notes what the request log shall say about it, in this order
     * @param gone is done when the caller has hung up before the answer
     */
    public Request(
            String method,
            String path,
            List<String> parts,
            Function<String, @Nullable String> headers,
            byte[] body,
            Principal principal,
            Map<String, Object> notes,
            CompletableFuture<Void> gone) {
        this.method = method;
        this.path = path;
        this.parts = parts;
        this.headers = headers;
        this.body = body;
        this.principal = principal;
        this.notes = notes;
        this.gone = gone;
    }

    public String method() {
        return method;
    }

    /** The path, as it was sent. */
    public String path() {
        return path;
    }

    /** The values of the placeholders in the route's path, in order. */
    public List<String> parts() {
        return parts;
    }

    /** Finds a header by its name, whatever its case. */
    public Function<String, @Nullable String> headers() {
        return headers;
    }

    public @Nullable String header(String name) {
        return headers.apply(name);
    }

    /** The body; empty once the handler has returned. */
    public byte[] body() {
        return body;
    }

    /** Frees the body: a request may wait for a quarter of an hour. */
    void dropBody() {
        body = NOTHING;
    }

    public Principal principal() {
        return principal;
    }

    /** Additional fields for the request log, in this order. */
    public Map<String, Object> notes() {
        return notes;
    }

    /** Completes when the client has disconnected before the response. */
    public CompletableFuture<Void> gone() {
        return gone;
    }

    /** Cancels {@code call} when the client disconnects. */
    public <T> CompletableFuture<T> untilGone(CompletableFuture<T> call) {
        Futures.whenDone(gone, (done, failure) -> call.cancel(true));
        return call;
    }
}
