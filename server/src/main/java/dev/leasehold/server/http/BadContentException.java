package dev.leasehold.server.http;

/** A body that cannot be read, or one in a form that is not spoken here: 455. */
public final class BadContentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadContentException(String message) {
        super(message, null, false, false);
    }
}
