package dev.leasehold;

import org.jspecify.annotations.Nullable;

/** A call that could not do what it promises. Locks and queues have their own kind, each with a code that says why. */
public abstract class LeaseholdException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected LeaseholdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
