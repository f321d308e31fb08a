package dev.leasehold.server.auth;

/** The client lacks the permission. Does not reveal whether the lock or queue exists. */
public final class ForbiddenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ForbiddenException() {
        this("access denied");
    }

    public ForbiddenException(String message) {
        super(message, null, false, false);
    }
}
