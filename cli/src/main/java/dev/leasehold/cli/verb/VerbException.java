package dev.leasehold.cli.verb;

import org.jspecify.annotations.Nullable;

/** A command that cannot go on. The message is a sentence for people and contains no secret. */
public final class VerbException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private VerbException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Something failed. */
    public static VerbException failed(String message) {
        return new VerbException(ExitStatus.FAILURE, message, null);
    }

    /** Something failed because of something else. */
    public static VerbException failed(String message, Throwable cause) {
        return new VerbException(ExitStatus.FAILURE, message, cause);
    }

    /** The command was typed wrong. */
    public static VerbException usage(String message) {
        return new VerbException(ExitStatus.USAGE, message, null);
    }

    int status() {
        return status;
    }
}
