package dev.leasehold.embedded;

import org.jspecify.annotations.Nullable;

/** The embedded database could not be started. The message says why and what to do. */
public final class EmbeddedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EmbeddedException(String message) {
        this(message, null);
    }

    public EmbeddedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
