package dev.leasehold.postgres;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import java.util.concurrent.CompletableFuture;

/** One call on its way to the database. It is answered once; an answer that nobody wants any more is reported as such. */
final class Call<Q, R> {
    private final Kind<Q, R> kind;
    private final Q request;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final long bornNanos = System.nanoTime();
    private volatile boolean answered;
    private int tries;

    Call(Kind<Q, R> kind, Q request, CancelSignal signal) {
        this.kind = kind;
        this.request = request;
        if (signal != CancelSignal.none()) {
            Runnable off = signal.onCancel(() -> result.completeExceptionally(LockException.aborted()));
            result.whenComplete((value, failure) -> off.run());
        }
    }

    Kind<Q, R> kind() {
        return kind;
    }

    Q request() {
        return request;
    }

    CompletableFuture<R> result() {
        return result;
    }

    boolean isOver() {
        return result.isDone();
    }

    /** Whether the database has answered, whatever became of the caller. */
    boolean isAnswered() {
        return answered;
    }

    void succeed(R value) {
        answered = true;
        if (!result.complete(value)) {
            kind.unwanted(request, value);
        }
    }

    void fail(LockException failure) {
        result.completeExceptionally(failure);
    }

    long ageNanos(long now) {
        return now - bornNanos;
    }

    /** Whether it was asked before, and came back as busy. */
    boolean isRepeated() {
        return tries > 0;
    }

    /** How long to leave somebody else's transaction alone before the next try: 5 ms, doubling up to 320. */
    long nextTryNanos() {
        return 5_000_000L << Math.min(tries++, 6);
    }

    void failAsBusy() {
        fail(new LockException(
                LockErrorCode.NETWORK_TIMEOUT,
                "Another transaction has kept the lock's row or advisory lock locked all the while (a guard that has not"
                        + " ended, or a client that stalled)"));
    }
}
