package dev.leasehold.queue.spi;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import org.jspecify.annotations.Nullable;

/** The store has answered, but this call took too long or found what it needs locked all the while; others may do well. */
public final class BusyException extends QueueException {
    private static final long serialVersionUID = 1L;

    public BusyException(String message, @Nullable Throwable cause) {
        super(QueueErrorCode.NETWORK_TIMEOUT, message, cause);
    }
}
