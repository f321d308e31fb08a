package dev.leasehold.server.http;

import dev.leasehold.server.auth.Principal;
import dev.leasehold.spi.Futures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request, whole: its body has arrived and its caller is known.
 *
 * @param path the path, as it was sent
 * @param parts what the placeholders of the route's path stand for, in their order
 * @param headers finds a header by its name, whatever its case
 * @param notes what the request log shall say about it, in this order
 * @param gone is done when the caller has hung up before the answer
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never changed
public record Request(
        String method,
        String path,
        List<String> parts,
        Function<String, @Nullable String> headers,
        byte[] body,
        Principal principal,
        Map<String, Object> notes,
        CompletableFuture<Void> gone) {

    public @Nullable String header(String name) {
        return headers.apply(name);
    }

    /** Cancels {@code call} when the caller hangs up: nobody waits for it any more. */
    public <T> CompletableFuture<T> untilGone(CompletableFuture<T> call) {
        Futures.whenDone(gone, (done, failure) -> call.cancel(true));
        return call;
    }
}
