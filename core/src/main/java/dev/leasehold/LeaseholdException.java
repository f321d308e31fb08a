package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * A call failed. {@code LockException} and {@code QueueException} have a code that says why, {@code LockLostException} the fence that is
 * lost. Messages name the key or queue, and never show a lock id.
 */
public abstract class LeaseholdException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with what caused it, if anything did. */
    protected LeaseholdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
