package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures in the caller's thread, and turns their failures into the caller's exceptions. */
public final class Await {
    private Await() {}

    /** Waits; an interrupt cancels the future, stays set, and is thrown as Aborted. */
    public static <T> T interruptibly(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            boolean cancelled = future.cancel(true);
            Thread.currentThread().interrupt();
            if (!cancelled && !future.isCompletedExceptionally()) {
                return future.join();
            }
            throw new LockException(LockErrorCode.ABORTED, "Operation aborted by an interrupt", e);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (CancellationException e) {
            throw new LockException(LockErrorCode.ABORTED, "Operation aborted by signal", e);
        }
    }

    /** Waits in spite of interrupts, at most {@code timeout} unless that is zero; an interrupt stays set. */
    public static <T> T uninterruptibly(CompletableFuture<T> future, Duration timeout) throws TimeoutException {
        long deadline = System.nanoTime() + (timeout.isZero() ? Long.MAX_VALUE / 2 : Nanos.of(timeout));
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException | CancellationException e) {
                    throw failure(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The failure of a future as an exception to throw: lock exceptions as they are, anything else as Internal. */
    public static LockException failure(Throwable cause) {
        Throwable inner =
                cause instanceof CompletionException || cause instanceof ExecutionException ? cause.getCause() : null;
        Throwable real = inner == null ? cause : inner;
        if (real instanceof LockException known) {
            return known;
        }
        if (real instanceof CancellationException) {
            return new LockException(LockErrorCode.ABORTED, "Operation aborted by signal", real);
        }
        return new LockException(LockErrorCode.INTERNAL, "Unexpected failure: " + real, real);
    }
}
