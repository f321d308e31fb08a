package dev.leasehold.bench;

import java.util.Locale;

/** What is measured together and reported in one file. */
public enum Group {
    LOCKS,
    QUEUES,
    HTTP;

    /** Its name on the command line and in the name of the report. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
