package dev.leasehold.client;

import dev.leasehold.queue.QueueException;
import dev.leasehold.spi.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls of the queue door, as long as the client is open: their futures fail with the queue exception itself. */
final class QueueCalls {
    private final Transport transport;
    private volatile boolean closed;

    QueueCalls(Transport transport) {
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

    /** Makes a call; what {@code post} throws fails the future. Cancelling it ends the exchange. */
    <T> CompletableFuture<T> call(Supplier<Post> post, Function<Answer, T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            Post ready = post.get();
            if (closed) {
                throw QueueAnswers.closed();
            }
            CompletableFuture<Answer> asked = transport.send(ready);
            Futures.whenDone(result, (value, failure) -> asked.cancel(true));
            Futures.whenDone(asked, (answer, failure) -> settle(result, answer, failure, read));
        } catch (QueueException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    static <T> void settle(
            CompletableFuture<T> result,
            @Nullable Answer answer,
            @Nullable Throwable failure,
            Function<Answer, T> read) {
        try {
            if (answer != null) {
                result.complete(read.apply(answer));
            } else {
                result.completeExceptionally(QueueAnswers.failure(failure == null ? QueueAnswers.closed() : failure));
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(QueueAnswers.failure(e));
        }
    }
}
