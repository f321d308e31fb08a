package dev.leasehold.cli.server;

import org.jspecify.annotations.Nullable;

/** The server could not start. The message says why and what to do. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
