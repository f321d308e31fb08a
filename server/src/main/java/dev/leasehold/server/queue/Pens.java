package dev.leasehold.server.queue;

import com.google.protobuf.Message;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Writes answers that may be large. The engine's threads, in which results arrive, are for other things than megabytes of base64. */
final class Pens {
    private static final long LARGE = 65_536;

    private final Executor workers;

    Pens(Executor workers) {
        this.workers = workers;
    }

    /**
     * Writes an answer, here or in a worker.
     *
     * @param weight how many bytes it will have, roughly
     */
    CompletableFuture<Response> write(Request request, long weight, Supplier<Message> message) {
        return weight > LARGE
                ? CompletableFuture.supplyAsync(() -> Codec.ok(request, message.get()), workers)
                : CompletableFuture.completedFuture(Codec.ok(request, message.get()));
    }
}
