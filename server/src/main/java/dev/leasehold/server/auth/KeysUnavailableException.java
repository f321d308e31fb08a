package dev.leasehold.server.auth;

/** Tokens cannot be checked now, because the keys of their issuer cannot be had: 503. It says nothing about the token. */
public final class KeysUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KeysUnavailableException() {
        super("the token cannot be checked now: the keys of its issuer are not available", null, false, false);
    }
}
