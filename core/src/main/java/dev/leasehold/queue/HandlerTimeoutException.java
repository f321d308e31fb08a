package dev.leasehold.queue;

import dev.leasehold.LeaseholdException;
import java.time.Duration;

/** A handler was interrupted because it ran for longer than {@link ConsumeOptions#handlerTimeout}; the cause is what it threw. */
public final class HandlerTimeoutException extends LeaseholdException {
    private static final long serialVersionUID = 1L;

    /** A handler of {@code queue} was interrupted after {@code timeout} and threw {@code cause}. */
    public HandlerTimeoutException(String queue, Duration timeout, Throwable cause) {
        super("the handler of queue '" + queue + "' ran for longer than " + timeout + " and was interrupted", cause);
    }
}
