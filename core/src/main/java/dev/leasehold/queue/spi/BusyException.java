package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import org.jspecify.annotations.Nullable;

/** The store has answered, but this call took too long, or others were in its way all the while; the next may do well. */
public final class BusyException extends QueueException {
    private static final long serialVersionUID = 1L;

    /** A call that found its rows locked. */
    public BusyException(QueueErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
