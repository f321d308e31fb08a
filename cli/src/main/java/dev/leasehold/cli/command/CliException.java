package dev.leasehold.cli.command;

import org.jspecify.annotations.Nullable;

/** A command that cannot go on. The message is a sentence for people and contains no secret. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private CliException(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Something failed. */
    public static CliException failed(String message) {
        return new CliException(ExitStatus.FAILURE, message, null);
    }

    /** Something failed because of something else. */
    public static CliException failed(String message, Throwable cause) {
        return new CliException(ExitStatus.FAILURE, message, cause);
    }

    /** The command was typed wrong. */
    public static CliException usage(String message) {
        return new CliException(ExitStatus.USAGE, message, null);
    }

    int status() {
        return status;
    }
}
