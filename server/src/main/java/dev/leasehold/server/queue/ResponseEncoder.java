package dev.leasehold.server.queue;

import com.google.protobuf.Message;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.spi.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Encodes responses that may be large, in a worker thread: the threads of the engine, in which results arrive, must not be blocked.
 *
 * <p>All responses that are being encoded share one budget of bytes.
 */
public final class ResponseEncoder {
    private static final long LARGE = 65_536;
    private static final int SHARE_OF_HEAP = 16;

    private final Executor workers;
    private final long budget;
    private final AtomicLong spent = new AtomicLong();

    /** An encoder with a budget of a sixteenth of the heap: a response that is being encoded is in memory several times. */
    public ResponseEncoder(Executor workers) {
        this(workers, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    ResponseEncoder(Executor workers, long budget) {
        this.workers = workers;
        this.budget = budget;
    }

    /**
     * Encodes a response, here or in a worker thread. Fails if too many are being encoded, so that the client retries later; a single one
     * is always encoded.
     *
     * @param weight how many bytes it will have, roughly
     */
    CompletableFuture<Response> write(Request request, long weight, Supplier<Message> message) {
        if (!reserve(weight)) {
            return CompletableFuture.failedFuture(new QueueException(
                    QueueErrorCode.SERVICE_UNAVAILABLE, "queue is overloaded; try again later")); // Querator's words
        }
        CompletableFuture<Response> written;
        try {
            written = weight > LARGE
                    ? CompletableFuture.supplyAsync(() -> MessageCodec.ok(request, message.get()), workers)
                    : CompletableFuture.completedFuture(MessageCodec.ok(request, message.get()));
        } catch (RuntimeException | Error e) {
            written = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(written, (response, failure) -> spent.addAndGet(-weight));
        return written;
    }

    private boolean reserve(long weight) {
        long before = spent.getAndAdd(weight);
        boolean fits = before == 0 || before + weight <= budget;
        if (!fits) {
            spent.addAndGet(-weight);
        }
        return fits;
    }
}
