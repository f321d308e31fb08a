package dev.leasehold.queue;

import dev.leasehold.LeaseholdException;
import org.jspecify.annotations.Nullable;

/** A queue operation that failed. The {@link #code} says what to do about it; the cause is kept. */
public class QueueException extends LeaseholdException {
    private static final long serialVersionUID = 1L;

    private final QueueErrorCode code;

    /** A failure without a cause. */
    public QueueException(QueueErrorCode code, String message) {
        this(code, message, null);
    }

    /** A failure with its cause. */
    public QueueException(QueueErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** A wrong argument: {@code message} says what was expected and what was got. */
    public static QueueException invalidArgument(String message) {
        return new QueueException(QueueErrorCode.INVALID_ARGUMENT, message);
    }

    /** Nobody ever made a queue of that name, or it has been deleted. */
    public static QueueException noSuchQueue(String name) {
        return new QueueException(
                QueueErrorCode.NO_SUCH_QUEUE, "queue does not exist; no such queue named '" + name + "'");
    }

    /** The queue is being deleted, or this node is going. */
    public static QueueException shuttingDown() {
        return new QueueException(QueueErrorCode.SHUTTING_DOWN, "queue is shutting down");
    }

    /** Why it failed. */
    public QueueErrorCode code() {
        return code;
    }
}
