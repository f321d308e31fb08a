package dev.leasehold.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** No server replied to a call. Never leaves this package: callers get a lock or queue exception. */
final class NoReplyException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What failed. */
    enum Kind {
        /** No connection could be opened: nothing was sent. */
        REFUSED,
        /** The connection failed before the reply: the outcome of the call is unknown. */
        LOST,
        /** No reply came in time: the outcome of the call is unknown. */
        LATE,
        /** This client has been closed. */
        CLOSED
    }

    private final Kind kind;

    NoReplyException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Classifies a failure of the HTTP client. */
    static NoReplyException of(Throwable failure, String server) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnresolvedAddressException
                    || cause instanceof SSLHandshakeException) {
                return new NoReplyException(
                        Kind.REFUSED, "The server at " + server + " cannot be reached" + why(cause), cause);
            }
        }
        return new NoReplyException(
                Kind.LOST, "The connection to " + server + " failed before an answer came" + why(failure), failure);
    }

    private static String why(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isEmpty() ? "" : ": " + message;
    }

    /** The same after an earlier attempt: if that may have been carried out, so may the call. */
    NoReplyException after(NoReplyException earlier) {
        return isUnsent() && !earlier.isUnsent()
                ? new NoReplyException(Kind.LOST, String.valueOf(getMessage()), this)
                : this;
    }

    Kind kind() {
        return kind;
    }

    /** Whether the server cannot have carried the call out. */
    boolean isUnsent() {
        return kind == Kind.REFUSED;
    }
}
