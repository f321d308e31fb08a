package dev.leasehold.client;

import dev.leasehold.queue.QueueException;
import dev.leasehold.spi.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes calls of the Querator API until the client is closed. Futures fail with a {@link QueueException}. */
final class QueueApi {
    private final Transport transport;
    private volatile boolean closed;

    QueueApi(Transport transport) {
        this.transport = transport;
    }

    Transport transport() {
        return transport;
    }

    /** Refuses all calls from now on. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Makes a call; what {@code call} throws fails the future. Cancelling it ends the exchange. */
    <T> CompletableFuture<T> call(Supplier<HttpCall> call, Function<HttpReply, T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            HttpCall ready = call.get();
            if (closed) {
                throw QueueReplies.closed();
            }
            CompletableFuture<HttpReply> asked = transport.send(ready);
            Futures.whenDone(result, (value, failure) -> asked.cancel(true));
            Futures.whenDone(asked, (reply, failure) -> settle(result, reply, failure, read));
        } catch (QueueException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    static <T> void settle(
            CompletableFuture<T> result,
            @Nullable HttpReply reply,
            @Nullable Throwable failure,
            Function<HttpReply, T> read) {
        try {
            if (reply != null) {
                result.complete(read.apply(reply));
            } else {
                result.completeExceptionally(QueueReplies.failure(failure == null ? QueueReplies.closed() : failure));
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(QueueReplies.failure(e));
        }
    }
}
