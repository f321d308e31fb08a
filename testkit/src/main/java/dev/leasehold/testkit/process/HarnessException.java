package dev.leasehold.testkit.process;

import org.jspecify.annotations.Nullable;

/** Something of the harness itself does not work: no verdict about Leasehold. */
public final class HarnessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure of the test bed without a cause. */
    public HarnessException(String message) {
        this(message, null);
    }

    /** A failure of the test bed with its cause. */
    public HarnessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Restores the interrupt and gives up. */
    public static HarnessException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new HarnessException("interrupted", e);
    }
}
