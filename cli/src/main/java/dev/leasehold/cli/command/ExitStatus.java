package dev.leasehold.cli.command;

import java.io.IOException;

/** With what status commands end. */
public final class ExitStatus {
    /** It was done. */
    public static final int OK = 0;

    /** It failed; standard error says why. */
    public static final int FAILURE = 1;

    /** The command was typed wrong, or an argument can never be right. */
    public static final int USAGE = 2;

    /** Nothing failed, but it was not granted, not held, or nothing was there: try again later. {@code EX_TEMPFAIL}. */
    public static final int NOT_NOW = 75;

    /** The lock was lost while the command ran under it. */
    public static final int LOST = 76;

    /** The command to run is there, but cannot be run. */
    public static final int CANNOT_RUN = 126;

    /** There is no such command to run. */
    public static final int NO_SUCH_COMMAND = 127;

    /** What is added to the number of a signal. */
    public static final int SIGNAL = 128;

    /** For the footers of the help. */
    public static final String HELP = "Exit status: 0 done, 1 failed, 2 wrong usage, 75 not now.";

    private ExitStatus() {}

    /** For a command that could not be started, as shells do it. */
    public static int ofUnstarted(IOException why) {
        return String.valueOf(why.getMessage()).contains("error=2,") ? NO_SUCH_COMMAND : CANNOT_RUN;
    }
}
