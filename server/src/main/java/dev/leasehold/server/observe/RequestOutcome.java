package dev.leasehold.server.observe;

import java.util.Locale;

/** What became of a request, in few enough words for a label. */
enum RequestOutcome {
    /** It was done. */
    SUCCESS,
    /** Somebody else holds the lock, or had it first. */
    CONTENTION,
    /** The caller asked for something that cannot be done. */
    REJECTED,
    /** The caller is not known, or may not. */
    DENIED,
    /** The caller is told to ask again: there is too much to do, or time was over. */
    RETRY,
    /** The server, or what it stands on, failed. */
    FAILURE,
    /** The caller hung up before the answer. */
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
