package dev.leasehold.server.observe;

import java.util.Locale;

/** The outcome of a request, as a label of metrics. */
enum RequestOutcome {
    /** Done. */
    SUCCESS,
    /** Somebody else holds the lock. */
    CONTENTION,
    /** The request was invalid. */
    REJECTED,
    /** Not authenticated, or without the permission. */
    DENIED,
    /** The client should retry: overload, or a timeout. */
    RETRY,
    /** The server or its database failed. */
    FAILURE,
    /** The client disconnected before the response. */
    GONE;

    /** The note by which a handler says what the status does not. */
    static final String NOTE = "outcome";

    static RequestOutcome of(int status) {
        return switch (status) {
            case 401, 403 -> DENIED;
            case 409, 423 -> CONTENTION;
            case 429, 454, 503 -> RETRY;
            case 499 -> GONE;
            case 512 -> FAILURE;
            default -> status < 400 ? SUCCESS : status < 500 || status == 501 ? REJECTED : FAILURE;
        };
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
