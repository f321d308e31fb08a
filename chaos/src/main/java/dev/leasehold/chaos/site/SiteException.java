package dev.leasehold.chaos.site;

import org.jspecify.annotations.Nullable;

/** Something of the harness itself does not work: no verdict about Leasehold. */
public final class SiteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SiteException(String message) {
        this(message, null);
    }

    public SiteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Restores the interrupt and gives up. */
    static SiteException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SiteException("interrupted", e);
    }
}
