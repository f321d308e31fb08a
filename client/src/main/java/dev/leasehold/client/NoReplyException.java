package dev.leasehold.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** A call to which no server gave a reply. Never leaves this package: callers are told in the words of locks or queues. */
final class NoReplyException extends IOException {
    private static final long serialVersionUID = 1L;

    /** How it went wrong. */
    enum Kind {
        /** No connection came about: nothing was sent. */
        REFUSED,
        /** The connection failed before the reply was here: what became of the call is not known. */
        LOST,
        /** No reply came in time: what became of the call is not known. */
        LATE,
        /** This client has been closed. */
        CLOSED
    }

    private final Kind kind;

    NoReplyException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What the HTTP client said, put in order. */
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

    /** The same after an earlier try: if that may have been carried out, so may the call. */
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
