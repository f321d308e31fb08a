package dev.leasehold.server.auth;

/** They are known, and may not. Says nothing about whether the thing exists. */
public final class ForbiddenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ForbiddenException() {
        this("access denied");
    }

    public ForbiddenException(String message) {
        super(message, null, false, false);
    }
}
