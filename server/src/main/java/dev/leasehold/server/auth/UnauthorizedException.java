package dev.leasehold.server.auth;

/** There is no credential, or it is no good. The message is for the caller. */
public final class UnauthorizedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnauthorizedException(String message) {
        super(message, null, false, false);
    }
}
